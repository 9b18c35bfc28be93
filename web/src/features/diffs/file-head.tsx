/** What a changed file is called, what kind of change it is, and what can be done with it. */
import { ChevronDown, ChevronRight, FileText, UnfoldVertical } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { text } from "../../text/diffs.ts";
import { Badge } from "../../ui/badge.tsx";
import { IconButton } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-field.tsx";
import { hasHidden } from "../contents/hidden-characters.ts";
import { fileAddress } from "../repositories/addresses.ts";
import { useRepository } from "../repositories/use-repository.ts";
import { Counts } from "./counts.tsx";
import styles from "./file-diff.module.css";
import { changedMode } from "./fold.ts";
import type { FileDiff } from "./source.ts";

export interface FileHeadProps {
  file: FileDiff;
  /** Of the section. */
  id: string;
  isOpen: boolean;
  setOpen: (isOpen: boolean) => void;
  /** Undefined where no further lines can be shown. */
  showWhole: (() => void) | undefined;
  /** The commit at which the file is as it is after the change. */
  after: string;
  slot: ReactNode;
}

export function FileHead({ file, id, isOpen, setOpen, showWhole, after, slot }: FileHeadProps) {
  const { path, previous_path: previous } = file;
  return (
    <div className={styles.head}>
      <IconButton
        label={isOpen ? text.fold(path) : text.unfold(path)}
        aria-expanded={isOpen}
        data-fold
        onClick={() => setOpen(!isOpen)}
      >
        {isOpen ? <ChevronDown aria-hidden /> : <ChevronRight aria-hidden />}
      </IconButton>
      <h3 id={`${id}-name`}>{previous === null ? path : `${previous} → ${path}`}</h3>
      <CopyButton value={path} label={text.path(path)} />
      <Marks file={file} />
      <Counts added={file.additions} removed={file.deletions} />
      <span className={styles.actions}>
        {showWhole ? (
          <IconButton label={text.showWhole(path)} onClick={showWhole}>
            <UnfoldVertical aria-hidden />
          </IconButton>
        ) : null}
        {file.raw_url === null ? null : <ViewFile path={path} after={after} />}
        {slot}
      </span>
    </div>
  );
}

function ViewFile({ path, after }: { path: string; after: string }) {
  const repository = useRepository();
  return (
    <Link
      to={fileAddress(repository, "blob", { ref: after, path })}
      className={styles.view}
      title={text.viewFile}
      aria-label={text.viewFileNamed(path)}
    >
      <FileText aria-hidden />
    </Link>
  );
}

function Marks({ file }: { file: FileDiff }) {
  const mode = changedMode(file);
  const hasHiddenText = hasHidden((file.patch ?? "").replaceAll(/\r?\n/g, ""));
  return (
    <>
      {file.status === "modified" ? null : <Badge tone="plain">{text.statuses[file.status]}</Badge>}
      {file.kind === "file" ? null : <Badge tone="plain">{text.kinds[file.kind]}</Badge>}
      {mode ? <Badge tone="plain">{text.modes(mode.before, mode.after)}</Badge> : null}
      {file.lfs ? <Badge tone="plain">{text.lfs}</Badge> : null}
      {file.generated ? <Badge tone="plain">{text.generated}</Badge> : null}
      {hasHiddenText ? (
        <span title={text.hiddenHint}>
          <Badge tone="warn">{text.hidden}</Badge>
        </span>
      ) : null}
    </>
  );
}
