/** The changed files as the directories they are in, with a field that filters them. */
import { Fragment, memo, useDeferredValue, useMemo, useState } from "react";
import { Link } from "react-router";
import { text } from "../../text/diffs.ts";
import { Button } from "../../ui/button.tsx";
import { fileId } from "./anchors.ts";
import { Counts } from "./counts.tsx";
import styles from "./file-list.module.css";
import { fileTree, filesNamed, type TreeNode } from "./file-tree.ts";
import type { FileDiff } from "./source.ts";
import type { ChangedFiles } from "./use-changed-files.ts";

export interface FileListProps {
  found: ChangedFiles;
  /** Path of the file that the address names. */
  current: string | undefined;
}

export function FileList({ found, current }: FileListProps) {
  const [words, setWords] = useState("");
  const filter = useDeferredValue(words);
  const tree = useMemo(() => fileTree(filesNamed(found.files, filter)), [found.files, filter]);
  return (
    <nav className={styles.list} aria-label={text.files}>
      <input
        type="search"
        value={words}
        placeholder={text.filterFiles}
        aria-label={text.filterFiles}
        onChange={({ target }) => setWords(target.value)}
      />
      {tree.length === 0 ? <p className={styles.words}>{text.noFile}</p> : null}
      <Nodes nodes={tree} current={current} />
      {found.hasMore ? (
        <div className={styles.words}>
          <span>{text.shownFiles(found.files.length, found.total)}</span>
          {filter === "" ? null : <span>{text.filterSeesShown}</span>}
          <Button busy={found.isFetchingMore} onClick={found.fetchMore}>
            {text.loadMore}
          </Button>
        </div>
      ) : null}
    </nav>
  );
}

interface NodesProps {
  nodes: readonly TreeNode<FileDiff>[];
  current: string | undefined;
}

const Nodes = memo(function Nodes({ nodes, current }: NodesProps) {
  return (
    <ul>
      {nodes.map((node) => (
        <Fragment key={node.kind === "file" ? node.file.path : `${node.path}/`}>
          {node.kind === "file" ? (
            <FileEntry file={node.file} name={node.name} isCurrent={node.file.path === current} />
          ) : (
            <li>
              <details open>
                <summary>{node.name}</summary>
                <Nodes nodes={node.nodes} current={current} />
              </details>
            </li>
          )}
        </Fragment>
      ))}
    </ul>
  );
});

interface FileEntryProps {
  file: FileDiff;
  name: string;
  isCurrent: boolean;
}

const FileEntry = memo(function FileEntry({ file, name, isCurrent }: FileEntryProps) {
  const { search } = window.location;
  return (
    <li className={styles.file}>
      <span
        className={styles.status}
        data-status={file.status}
        title={text.statuses[file.status]}
        aria-hidden
      >
        {text.statusSigns[file.status]}
      </span>
      <Link
        to={{ search, hash: `#${fileId(file.path)}` }}
        replace
        preventScrollReset
        title={file.path}
        aria-current={isCurrent ? "true" : undefined}
      >
        {name}
        <span className="visually-hidden"> ({text.statuses[file.status]})</span>
      </Link>
      <Counts added={file.additions} removed={file.deletions} />
    </li>
  );
});
