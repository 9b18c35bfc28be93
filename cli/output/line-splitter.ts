/** Cuts a stream of bytes into lines; a character that is split over two pieces stays whole. */
import { StringDecoder } from "node:string_decoder";

export interface LineSplitter {
  push(bytes: Uint8Array): void;
  /** Hands over what stands after the last newline. */
  end(): void;
}

export function createLineSplitter(onLine: (line: string) => void): LineSplitter {
  const decoder = new StringDecoder("utf8");
  let rest = "";
  return {
    push(bytes) {
      const lines = (
        rest + decoder.write(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
      ).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) onLine(line.endsWith("\r") ? line.slice(0, -1) : line);
    },
    end() {
      rest += decoder.end();
      if (rest !== "") onLine(rest);
      rest = "";
    },
  };
}
