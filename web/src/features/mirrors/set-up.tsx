/** Makes a repository a mirror: first the source, then what will change, and only then does anything change. */
import { useState } from "react";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { fieldProblems, isConflict } from "../../api/problem.ts";
import { text } from "../../text/mirrors.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmButton } from "../../ui/dialog-button.tsx";
import { Form, type FormValues } from "../../ui/form.tsx";
import { Notice, ProblemNotice } from "../../ui/notice.tsx";
import { Page, Section } from "../../ui/page.tsx";
import { useChange } from "../../ui/use-change.ts";
import { useRepository, useRepositoryPath } from "../repositories/use-repository.ts";
import { MirrorDocs } from "./docs-link.tsx";
import { mirrorOf, MirrorFields, sourceOf } from "./mirror-fields.tsx";
import { RefChanges } from "./ref-changes.tsx";

interface Seen {
  values: FormValues;
  preview: Schemas["MirrorPreview"];
}

export function SetUp() {
  const { full_name: fullName, archived } = useRepository();
  const path = useRepositoryPath();
  const [seen, setSeen] = useState<Seen>();
  const look = useChange(
    async (values: FormValues) => {
      const body = sourceOf(values);
      const { data } = await api.POST("/repos/{owner}/{repo}/mirror/preview", { params: { path }, body });
      return { values, preview: data };
    },
    { onDone: ({ values, preview }) => setSeen(preview && { values, preview }) },
  );
  return (
    <Page title={text.title} within={fullName} lead={text.leadOfNone}>
      <MirrorDocs />
      {archived ? null : (
        <Section title={text.setUp}>
          <Form submit={text.preview} state={look} onSubmit={look.mutate}>
            <MirrorFields problems={fieldProblems(look.error)} />
          </Form>
          {isConflict(look.error) && look.variables ? (
            <div>
              <WithoutPreview values={look.variables} />
            </div>
          ) : null}
        </Section>
      )}
      {seen ? <Confirm {...seen} /> : null}
    </Page>
  );
}

/** Over SSH nothing can be read before the source knows the key, which is made with the mirror. */
function WithoutPreview({ values }: { values: FormValues }) {
  const path = useRepositoryPath();
  return (
    <ConfirmButton
      label={text.withoutPreview}
      kind="normal"
      title={text.withoutPreviewTitle}
      submit={text.start}
      said={text.started}
      run={() => {
        const body = { ...mirrorOf(values), replace: true };
        return api.PUT("/repos/{owner}/{repo}/mirror", { params: { path }, body });
      }}
    >
      <p>{text.withoutPreviewHint}</p>
      <p>{text.replaceWarning}</p>
    </ConfirmButton>
  );
}

function Confirm({ values, preview }: Seen) {
  const path = useRepositoryPath();
  const start = useChange(
    () => {
      const body = { ...mirrorOf(values), replace: true };
      return api.PUT("/repos/{owner}/{repo}/mirror", { params: { path }, body });
    },
    { said: text.started },
  );
  const replaces = preview.updated + preview.deleted > 0;
  return (
    <Section
      title={text.previewTitle}
      lead={preview.total === 0 ? text.previewNothing : text.previewCounts(preview)}
    >
      {replaces ? <Notice tone="warn">{text.replaceWarning}</Notice> : null}
      {preview.notes.map((note) => (
        <p key={note}>{note}</p>
      ))}
      <RefChanges refs={preview.refs} total={preview.total} />
      {start.error ? <ProblemNotice error={start.error} /> : null}
      <div>
        <Button
          kind={replaces ? "danger" : "primary"}
          busy={start.isPending}
          onClick={() => start.mutate(undefined)}
        >
          {text.start}
        </Button>
      </div>
    </Section>
  );
}
