/** Free space on the disks that jobs write to: the runner's own, and the daemon's if that is another one. */
import { stat, statfs } from "node:fs/promises";

export interface FreeSpace {
  bytes: number;
  files: number;
}

export interface JobDisks {
  /** Has no effect where the directory is on a disk that is known already, or cannot be seen from here. */
  add(directory: string): Promise<void>;
  /** Free space for ordinary users, one entry for each disk. Rejects if a disk cannot be read. */
  free(): Promise<[FreeSpace, ...FreeSpace[]]>;
}

export function createJobDisks(home: string): JobDisks {
  const others: string[] = [];
  return {
    async add(directory) {
      const [device, ...known] = await Promise.all([directory, home, ...others].map(deviceOf));
      if (device !== null && device !== undefined && !known.includes(device)) others.push(directory);
    },
    free: async () => [await freeSpaceOn(home), ...(await Promise.all(others.map(freeSpaceOn)))],
  };
}

export function sumFreeSpace(spaces: readonly FreeSpace[]): FreeSpace {
  return {
    bytes: spaces.reduce((sum, { bytes }) => sum + bytes, 0),
    files: spaces.reduce((sum, { files }) => sum + files, 0),
  };
}

function deviceOf(directory: string): Promise<number | null> {
  return stat(directory).then(
    ({ dev }) => dev,
    () => null,
  );
}

async function freeSpaceOn(directory: string): Promise<FreeSpace> {
  const disk = await statfs(directory);
  return { bytes: disk.bavail * disk.bsize, files: disk.ffree };
}
