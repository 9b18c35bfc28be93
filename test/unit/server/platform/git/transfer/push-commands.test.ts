import { expect, it } from "vitest";
import { flushPacket, packet } from "@forgeline/server/platform/git/transfer/packet.ts";
import { pushRefusal } from "@forgeline/server/platform/git/transfer/refusal-answer.ts";
import { createPushCommands } from "@forgeline/server/platform/git/transfer/push-commands.ts";
import { AppError } from "@forgeline/server/platform/app-error.ts";

const [none, id] = ["0".repeat(40), "a".repeat(40)];
const wishes = "report-status side-band-64k agent=git/2.39.5";
const push = (capabilities = wishes) =>
  [
    packet(`shallow ${id}\n`),
    packet(`${none} ${id} refs/heads/one\0 ${capabilities}`),
    packet(`${id} ${none} refs/heads/ü two\n`),
    flushPacket,
    `PACK${packet(`${none} ${id} refs/heads/none`)}`,
  ].join("");
const problem = new AppError("unavailable", { message: "Too many\nat once." });

function seen(text: string, step = text.length) {
  const commands = createPushCommands();
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += step) commands.see(bytes.subarray(at, at + step));
  return commands;
}

it.each([1, 3, 64, 10_000])(
  "reads what a push wants, in pieces of %i bytes, and nothing behind it",
  (step) => {
    const commands = seen(push(), step);
    expect(commands.refs()).toEqual(["refs/heads/one", "refs/heads/ü two"]);
    expect(["report-status", "side-band-64k", "atomic"].map(commands.understands)).toEqual([
      true,
      true,
      false,
    ]);
  },
);

it("reads the commands of a certificate", () => {
  const certificate = `${packet(`push-cert\0${wishes}`)}${packet(`${none} ${id} refs/heads/one\n`)}`;
  const commands = seen(`${certificate}${packet("push-cert-end\n")}${flushPacket}`);
  expect([commands.refs(), commands.understands("report-status")]).toEqual([["refs/heads/one"], true]);
});

it("keeps no list that is too long, and reads no protocol into what is none", () => {
  const long = Array.from({ length: 20_000 }, (_, i) => packet(`${none} ${id} refs/heads/${i}`)).join("");
  const commands = seen(`${packet(`${none} ${id} refs/heads/one\0 ${wishes}`)}${long}`, 65_536);
  expect([commands.refs(), commands.understands("report-status")]).toEqual([[], true]);
  expect(seen("zzzzzzzz").refs()).toEqual([]);
});

it("reports that nothing was taken, as the client wants to hear it", () => {
  const told = pushRefusal(problem, seen(push()))?.toString();
  const lines = ["unpack unavailable", "ng refs/heads/one unavailable", "ng refs/heads/ü two unavailable"];
  const report = `${lines.map((line) => packet(`${line}\n`)).join("")}${flushPacket}`;
  const length = (Buffer.byteLength(report) + 5).toString(16).padStart(4, "0");
  expect(told).toBe(`0017\u0002Too many\nat once.\n${length}\u0001${report}0000`);
  const plain = pushRefusal(problem, seen(push("report-status-v2")))?.toString();
  expect(plain).toMatch(/^....unpack Too many at once\.\n....ng refs\/heads\/one unavailable\n/);
  expect(pushRefusal(problem, seen(push("atomic")))).toBeUndefined();
});
