/** The entries of a directory, below the commit that changed it last. */
import { File, FileSymlink, Folder, Package } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text } from "../../text/contents.ts";
import { formatBytes } from "../../ui/size.ts";
import { fileAddress } from "../repositories/addresses.ts";
import { useRepository } from "../repositories/use-repository.ts";
import styles from "./file-list.module.css";

type Entry = Schemas["ContentsEntry"];

const marks: Record<Entry["type"], typeof File> = {
  file: File,
  directory: Folder,
  symlink: FileSymlink,
  submodule: Package,
};

export interface FileListProps {
  entries: readonly Entry[];
  /** Of the address. */
  gitRef: string;
  /** Of the directory. */
  path: string;
  /** Above the entries. */
  children?: ReactNode;
}

export function FileList({ entries, gitRef, path, children }: FileListProps) {
  const repository = useRepository();
  const above = path.includes("/") ? path.slice(0, path.lastIndexOf("/")) : "";
  return (
    <div className={styles.frame}>
      {children}
      <table className={styles.list}>
        <caption className="visually-hidden">{path === "" ? text.files : text.filesIn(path)}</caption>
        <colgroup>
          <col />
          <col className={styles.sizes} />
        </colgroup>
        <thead className="visually-hidden">
          <tr>
            <th>{text.name}</th>
            <th>{text.size}</th>
          </tr>
        </thead>
        <tbody>
          {path === "" ? null : (
            <tr>
              <td colSpan={2}>
                <Link
                  to={fileAddress(repository, "tree", { ref: gitRef, path: above })}
                  aria-label={text.directoryAbove}
                >
                  ..
                </Link>
              </td>
            </tr>
          )}
          {entries.map((entry) => (
            <Row key={entry.path} entry={entry} gitRef={gitRef} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ entry, gitRef }: { entry: Entry; gitRef: string }) {
  const repository = useRepository();
  const Mark = marks[entry.type];
  const page = entry.type === "directory" ? "tree" : "blob";
  return (
    <tr>
      <td>
        <div className={styles.name}>
          <Mark aria-hidden className={entry.type === "directory" ? styles.directory : ""} />
          <Link to={fileAddress(repository, page, { ref: gitRef, path: entry.path })} title={entry.name}>
            {entry.name}
          </Link>
        </div>
      </td>
      <td className={styles.size}>{entry.type === "file" ? formatBytes(entry.size) : ""}</td>
    </tr>
  );
}
