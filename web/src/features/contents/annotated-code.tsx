/** The lines of a file, with what jobs noted at them, and with the errors of a CODEOWNERS file. */
import { useMemo, type ReactElement } from "react";
import { Link } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { $api } from "../../api/client.ts";
import { text } from "../../text/annotations.ts";
import { Badge } from "../../ui/badge.tsx";
import { useErrorNotes } from "../code-owners/use-error-notes.tsx";
import { useRepository, useRepositoryPath } from "../repositories/use-repository.ts";
import styles from "./annotated-code.module.css";
import { CodeLines } from "./code-lines.tsx";
import type { FilePlace } from "./use-file-place.ts";

type Annotation = Schemas["CommitAnnotation"];

const maxShown = 100;
const tones = { error: "bad", warning: "warn", notice: "info" } as const;
const noAnnotations: readonly Annotation[] = [];

export function AnnotatedCode({ content, name, place }: { content: string; name: string; place: FilePlace }) {
  const found = useAnnotations(place);
  const errors = useErrorNotes(place);
  const { ofFile, ofLines } = useMemo(() => byLine(found, errors.ofLines), [found, errors.ofLines]);
  return (
    <>
      {errors.summary}
      {ofFile}
      <CodeLines text={content} name={name} notes={ofLines} />
      {found.length === maxShown ? <p className={styles.more}>{text.onlyFirst(maxShown)}</p> : null}
    </>
  );
}

/** The file can be read without them: a failure leaves them out. */
function useAnnotations({ ref, path }: FilePlace): readonly Annotation[] {
  const query = { ref, path, per_page: maxShown };
  const found = $api.useQuery("get", "/repos/{owner}/{repo}/annotations", {
    params: { path: useRepositoryPath(), query },
  });
  return found.data ?? noAnnotations;
}

/** Each below the last line that it is about, behind the errors there. */
function byLine(annotations: readonly Annotation[], errors: ReadonlyMap<number, readonly ReactElement[]>) {
  const ofLines = new Map(errors);
  const ofFile: ReactElement[] = [];
  for (const [index, annotation] of annotations.entries()) {
    const line = annotation.end_line ?? annotation.line;
    const note = <Note key={index} annotation={annotation} />;
    if (line === null) ofFile.push(note);
    else ofLines.set(line, [...(ofLines.get(line) ?? []), note]);
  }
  return { ofFile, ofLines };
}

function Note({ annotation: { level, title, message, source, pipeline, job } }: { annotation: Annotation }) {
  const { full_name: fullName } = useRepository();
  return (
    <div className={styles.note} role="note" data-level={level}>
      <Badge tone={tones[level]}>{text.levels[level]}</Badge>
      <div className={styles.message}>
        {title === null ? null : <strong>{title}</strong>}
        <div>{source === null ? message : `${message} (${source})`}</div>
      </div>
      <Link to={`/${fullName}/pipelines/${pipeline.number}`}>{text.from(pipeline.number, job.label)}</Link>
    </div>
  );
}
