/** Reads a secret where it shows neither in a history nor in the list of processes: from a prompt, or standard input. */
import { createInterface } from "node:readline";
import { Writable } from "node:stream";

/** `question` is what a person at a terminal reads. The answer is trimmed, and may be empty. */
export async function readSecret(question: string): Promise<string> {
  if (process.stdin.isTTY) return (await ask(question)).trim();
  let text = "";
  for await (const chunk of process.stdin) text += String(chunk);
  return text.trim();
}

/** Nothing of what is typed is shown: the terminal leaves the echo to readline, whose output goes nowhere. */
function ask(question: string): Promise<string> {
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const prompt = createInterface({ input: process.stdin, output: nowhere, terminal: true, historySize: 0 });
  process.stderr.write(`${question} (not shown): `);
  return new Promise((resolve) => {
    let answer = "";
    prompt.once("line", (line) => {
      answer = line;
      prompt.close();
    });
    // Also at Ctrl-C and Ctrl-D, which give no line.
    prompt.once("close", () => {
      process.stderr.write("\n");
      resolve(answer);
    });
  });
}
