/** What an import reads, as whom, and who people there are here. */
import { text } from "../../text/imports.ts";
import { TextArea, TextField } from "../../ui/field.tsx";

const plain = { autoComplete: "off", autoCapitalize: "off", spellCheck: false } as const;

interface SourceFieldsProps {
  problems: Readonly<Record<string, string>>;
  /** An export was chosen, so nobody is asked with a token. */
  hasArchive: boolean;
  onArchive: (file: File | undefined) => void;
  /** Of the upload, in per cent. */
  progress: number | undefined;
}

export function SourceFields({ problems, hasArchive, onArchive, progress }: SourceFieldsProps) {
  return (
    <>
      <TextField
        name="repository"
        label={text.repository}
        hint={text.repositoryHint}
        maxLength={500}
        required
        autoFocus
        problem={problems["repository"]}
        {...plain}
      />
      {hasArchive ? null : (
        <TextField
          name="token"
          type="password"
          label={text.token}
          hint={text.tokenHint}
          maxLength={1000}
          problem={problems["token"]}
          {...plain}
        />
      )}
      <TextField
        name="archive"
        type="file"
        accept=".gz,.tgz,application/gzip"
        label={text.archive}
        hint={progress === undefined ? text.archiveHint : text.uploaded(progress)}
        onChange={({ currentTarget }) => onArchive(currentTarget.files?.[0])}
        problem={problems["archive"]}
      />
      <TextField
        name="api_url"
        type="url"
        label={text.apiUrl}
        hint={text.apiUrlHint}
        maxLength={500}
        problem={problems["api_url"]}
        {...plain}
      />
      <TextField
        name="name"
        label={text.newName}
        hint={text.newNameHint}
        maxLength={100}
        problem={problems["name"]}
        {...plain}
      />
      <TextArea
        name="users"
        label={text.people}
        hint={text.peopleHint}
        problem={problems["users"]}
        {...plain}
      />
    </>
  );
}
