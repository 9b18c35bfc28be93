/** Joins small frames, so that a stream that came line by line is stored and sent as efficiently as one that came at once. */
import { maxLogFrameBytes, type LogFrame } from "@forgeline/schemas/logs/frame.ts";
import { mergeFrames } from "./frame-bytes.ts";

/** The same bytes in as few frames as their limit allows, without cutting one; gaps stay gaps. */
export function packFrames(frames: readonly LogFrame[]): LogFrame[] {
  const packed: LogFrame[] = [];
  let group: LogFrame[] = [];
  let groupBytes = 0;
  const flush = () => {
    if (group.length > 0) packed.push(mergeFrames(group));
    group = [];
    groupBytes = 0;
  };
  for (const frame of frames) {
    const last = group.at(-1);
    const adjoins = last === undefined || last.offset + last.rawLength === frame.offset;
    if (!adjoins || groupBytes + frame.rawLength > maxLogFrameBytes) flush();
    group.push(frame);
    groupBytes += frame.rawLength;
  }
  flush();
  return packed;
}
