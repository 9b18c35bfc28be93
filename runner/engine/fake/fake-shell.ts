/** A shell that executes nothing: it shows what is typed, and ends with N when the line `exit N` was typed. */
import { PassThrough, Writable } from "node:stream";
import type { EngineShell } from "../engine.ts";

export function openFakeShell(): EngineShell {
  const output = new PassThrough();
  let line = "";
  let exitCode: number | null = null;
  const input = new Writable({
    write(chunk: Buffer, _encoding, done) {
      const text = chunk.toString("utf8");
      line += text;
      output.write(text.replaceAll("\r", "\r\n"));
      const exit = /exit (\d+)\r/.exec(line);
      if (exit) {
        exitCode = Number(exit[1]);
        output.end();
      } else if (line.includes("\r")) line = line.slice(line.lastIndexOf("\r") + 1);
      done();
    },
  });
  output.write("$ ");
  return {
    output,
    input,
    async resize(columns, rows) {
      output.write(`[${columns}x${rows}]`);
    },
    exitCode: () => Promise.resolve(exitCode),
    async end() {
      output.end();
    },
  };
}
