/** What changed between two states, file by file. Large ones are folded until somebody wants them. */
import { ChevronDown, ChevronRight } from "lucide-react";
import { useMemo, useState } from "react";
import { Link } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text } from "../../text/commits.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button, IconButton } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { fileAddress } from "../repositories/addresses.ts";
import { useRepository } from "../repositories/use-repository.ts";
import styles from "./changed-files.module.css";
import { DiffTable } from "./diff-table.tsx";
import { parsePatch } from "./parse-patch.ts";

type ChangedFile = Schemas["ChangedFile"];

export interface ChangedFilesProps {
  files: readonly ChangedFile[];
  truncated: boolean;
  /** Where the files are as they are after the change. */
  gitRef: string;
}

const foldedFromLines = 400;

export function ChangedFiles({ files, truncated, gitRef }: ChangedFilesProps) {
  if (files.length === 0) return <p>{text.nothingChanged}</p>;
  const added = files.reduce((sum, file) => sum + (file.additions ?? 0), 0);
  const removed = files.reduce((sum, file) => sum + (file.deletions ?? 0), 0);
  return (
    <div className={styles.files}>
      <h2>
        {text.changedFiles(files.length)} <Counts added={added} removed={removed} />
      </h2>
      {files.length < 2 ? null : <Overview files={files} />}
      {files.map((file, index) => (
        <FileChange key={file.path} file={file} id={`file-${index + 1}`} gitRef={gitRef} />
      ))}
      {truncated ? <Notice tone="warn">{text.moreFiles(files.length)}</Notice> : null}
    </div>
  );
}

function Overview({ files }: { files: readonly ChangedFile[] }) {
  return (
    <details className={styles.overview}>
      <summary>{text.listOfFiles}</summary>
      <ul>
        {files.map((file, index) => (
          <li key={file.path}>
            <a href={`#file-${index + 1}`}>{file.path}</a>
            <Counts added={file.additions} removed={file.deletions} />
          </li>
        ))}
      </ul>
    </details>
  );
}

function Counts({ added, removed }: { added: number | null; removed: number | null }) {
  if (added === null || removed === null) return null;
  return (
    <span className={styles.counts}>
      <span className={styles.plus}>
        <span aria-hidden>+{added}</span>
        <span className="visually-hidden">{text.linesAdded(added)}</span>
      </span>
      <span className={styles.minus}>
        <span aria-hidden>−{removed}</span>
        <span className="visually-hidden">{text.linesRemoved(removed)}</span>
      </span>
    </span>
  );
}

function FileChange({ file, id, gitRef }: { file: ChangedFile; id: string; gitRef: string }) {
  const repository = useRepository();
  const lines = (file.additions ?? 0) + (file.deletions ?? 0);
  const isLarge = lines > foldedFromLines;
  const [open, setOpen] = useState(!isLarge);
  const name = file.previous_path === null ? file.path : `${file.previous_path} → ${file.path}`;
  return (
    <section className={styles.file} id={id} aria-labelledby={`${id}-name`}>
      <div className={styles.head}>
        <IconButton
          label={open ? text.fold(file.path) : text.unfold(file.path)}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          {open ? <ChevronDown aria-hidden /> : <ChevronRight aria-hidden />}
        </IconButton>
        <h3 id={`${id}-name`}>
          {file.status === "deleted" ? (
            name
          ) : (
            <Link to={fileAddress(repository, "blob", { ref: gitRef, path: file.path })}>{name}</Link>
          )}
        </h3>
        {file.status === "modified" ? null : <Badge tone="plain">{text.changes[file.status]}</Badge>}
        <Counts added={file.additions} removed={file.deletions} />
      </div>
      {open ? (
        <Patch file={file} />
      ) : isLarge ? (
        <div className={styles.note}>
          <Button onClick={() => setOpen(true)}>{text.showLines(lines)}</Button>
        </div>
      ) : null}
    </section>
  );
}

function Patch({ file }: { file: ChangedFile }) {
  const hunks = useMemo(() => parsePatch(file.patch ?? ""), [file.patch]);
  if (file.binary) return <div className={styles.note}>{text.binaryChange}</div>;
  if (file.patch === null) return <div className={styles.note}>{text.changeTooLarge}</div>;
  if (hunks.length === 0) return <div className={styles.note}>{text.noLineChanged}</div>;
  return <DiffTable hunks={hunks} path={file.path} />;
}
