/**
 * Files of the container of a job's steps, the workspace included, as archives of tar. The daemon reads and writes them in the
 * container's own root: no path or link of the job leads to the machine.
 */
import type { FileHandle } from "node:fs/promises";

export interface ContainerFiles {
  /** Whom steps run as. `home` is absolute. */
  user: { uid: number; gid: number; home: string };
  /** Of the path itself, also where it is a link; null where nothing is there. */
  stat(path: string, signal: AbortSignal): Promise<"directory" | "file" | "link" | null>;
  /** Names begin with the last part of the path. While it is read, nothing in the container runs. */
  read(path: string, signal: AbortSignal): AsyncIterable<Buffer>;
  /**
   * As `read`, of a path of the workspace, into a file that is empty: as entries called `name` and below, with the permissions that a cache can have.
   * false where that did not work, whatever is in the file then, and `read` has to be asked. Absent: it never does.
   */
  pack?(path: string, into: PackedFile, signal: AbortSignal): Promise<boolean>;
  /** Names are relative to the root directory. Only before the first step, and nothing else is asked meanwhile. */
  write(archive: AsyncIterable<Buffer>, to: WrittenFiles): Promise<void>;
  /**
   * As `write`, of an archive in a file, whatever owner it names; all its names are below that of the workspace. false where that did not
   * work, and `write` has to be asked. Absent: it never does.
   */
  unpack?(archive: FileHandle, signal: AbortSignal): Promise<boolean>;
}

export interface PackedFile {
  name: string;
  file: FileHandle;
}

export interface WrittenFiles {
  signal: AbortSignal;
  /** All names are below that of the workspace, which can be faster. */
  isWorkspace: boolean;
}
