/** Frames of the sockets of a shell, and several of them as the bytes of one parcel. Pure. */

export interface ShellFrame {
  /** A message; otherwise what is typed or shown. */
  isText: boolean;
  bytes: Buffer;
}

/** A parcel holds no more, but for a single frame. */
export const parcelBytes = 256 * 1024;
const headerBytes = 5;

/** Takes as many frames from the beginning of the list as one parcel holds; at least one. */
export function takeBatch(frames: ShellFrame[]): ShellFrame[] {
  let size = 0;
  const end = frames.findIndex(({ bytes }, at) => {
    size += headerBytes + bytes.length;
    return at > 0 && size > parcelBytes;
  });
  return frames.splice(0, end === -1 ? frames.length : end);
}

export function packFrames(frames: readonly ShellFrame[]): Buffer {
  return Buffer.concat(
    frames.flatMap(({ isText, bytes }) => {
      const header = Buffer.alloc(headerBytes);
      header.writeUInt8(isText ? 1 : 0);
      header.writeUInt32BE(bytes.length, 1);
      return [header, bytes];
    }),
  );
}

/** Of bytes that `packFrames` made. */
export function unpackFrames(parcel: Buffer): ShellFrame[] {
  const frames: ShellFrame[] = [];
  for (let at = 0; at < parcel.length;) {
    const end = at + headerBytes + parcel.readUInt32BE(at + 1);
    frames.push({ isText: parcel.readUInt8(at) === 1, bytes: parcel.subarray(at + headerBytes, end) });
    at = end;
  }
  return frames;
}
