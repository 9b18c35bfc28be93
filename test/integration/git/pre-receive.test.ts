/** The hook itself, as Git would start it: what it tells the server of a push, and what it refuses alone. */
import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import type { Duplex } from "node:stream";
import { expect, test } from "vitest";

const update = `${"0".repeat(40)} ${"a".repeat(40)} refs/heads/main\n`;

async function hook(options: string[], answer: string, list = update) {
  const env = {
    PATH: process.env["PATH"] ?? "",
    FORGELINE_PUSH: "3",
    GIT_PUSH_OPTION_COUNT: String(options.length),
    ...Object.fromEntries(options.map((option, i) => [`GIT_PUSH_OPTION_${i}`, option])),
  };
  const child = spawn("server/platform/git/hooks/pre-receive", {
    env,
    stdio: ["pipe", "ignore", "pipe", "pipe"],
  });
  const server = child.stdio[3] as Duplex;
  let told = "";
  const heard = new Promise((resolve) => server.once("close", resolve));
  server.on("data", (data: Buffer) => {
    told += data.toString();
    if (told.endsWith("end\n")) server.write(`${answer}\n`);
  });
  const said = child.stderr ? text(child.stderr) : Promise.resolve("");
  child.stdin?.on("error", () => undefined);
  child.stdin?.end(list);
  const code = await new Promise((resolve) => child.once("exit", resolve));
  await heard;
  return { code, told, said: await said };
}

test("tells options and updates, and obeys", async () => {
  const options = ["ci.skip", "title=$(id) `id` \"quoted\" \\n 'x'", ""];
  const accepted = await hook(options, "say welcome\naccept");
  const lines = options.map((option) => `option ${option}\n`).join("");
  expect(accepted).toEqual({ code: 0, told: `pre-receive\n${lines}${update}end\n`, said: "welcome\n" });
  expect((await hook([], "refuse")).code).toBe(1);
});

test("refuses an option that would end the list before the updates", async () => {
  const { code, told, said } = await hook(["harmless", "x\nend"], "accept");
  expect({ code, told }).toEqual({ code: 1, told: "" });
  expect(said).toContain("line breaks");
});

test.each([1, 7, 8, 9, 500])("passes on each of %i updates, in order", async (count) => {
  const list = Array.from({ length: count }, (_, n) => update.replace("main", `branch-${n} \\n`)).join("");
  const { code, told } = await hook([], "accept", list);
  expect({ code, told }).toEqual({ code: 0, told: `pre-receive\n${list}end\n` });
});
