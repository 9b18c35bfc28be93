/** The disks that jobs write to: the runner's own, and the daemon's where that is another one. */
import { stat, statfs } from "node:fs/promises";

export interface Room {
  bytes: number;
  files: number;
}

export interface DiskRooms {
  /** Has no effect where the directory is on a disk that is known already, or cannot be seen from here. */
  add(directory: string): Promise<void>;
  /** What is free for ordinary users, one for each disk. Rejects where a disk does not tell. */
  free(): Promise<[Room, ...Room[]]>;
}

export function diskRooms(home: string): DiskRooms {
  const others: string[] = [];
  return {
    async add(directory) {
      const [device, ...known] = await Promise.all([directory, home, ...others].map(deviceOf));
      if (device !== null && device !== undefined && !known.includes(device)) others.push(directory);
    },
    free: async () => [await roomOn(home), ...(await Promise.all(others.map(roomOn)))],
  };
}

export function sumOfRooms(rooms: readonly Room[]): Room {
  return {
    bytes: rooms.reduce((sum, { bytes }) => sum + bytes, 0),
    files: rooms.reduce((sum, { files }) => sum + files, 0),
  };
}

function deviceOf(directory: string): Promise<number | null> {
  return stat(directory).then(
    ({ dev }) => dev,
    () => null,
  );
}

async function roomOn(directory: string): Promise<Room> {
  const disk = await statfs(directory);
  return { bytes: disk.bavail * disk.bsize, files: disk.ffree };
}
