import { expect, test } from "vitest";
import { createHideHaves } from "@forgeline/server/platform/git/transfer/haves.ts";
import type { RunGit } from "@forgeline/server/platform/git/processes/run-git.ts";
import { seededRandom } from "../../../../../support/seeded-random.ts";
import { watchTurns } from "../../../../../support/turns.ts";
import { size } from "../../../../../support/size.ts";

const packet = (text: string) => (text.length + 4).toString(16).padStart(4, "0") + text;
const idOf = (n: number) => n.toString(16).padStart(40, "e");
/** Even ones are commits, all others are not there. */
const typeOf = (id: string) => (Number.parseInt(id.slice(-1), 16) % 2 === 0 ? "commit" : "missing");
const read = (_directory: string, id: string) =>
  Promise.resolve(typeOf(id) === "commit" ? { type: "commit" as const, size: 1 } : undefined);
const runGit: RunGit = ({ input }) => {
  const ids = String(input).trim().split("\n");
  const stdout = Buffer.from(`${ids.map(typeOf).join("\n")}\n`);
  return Promise.resolve({ exitCode: 0, stdout, stderr: "" });
};
const hideHaves = createHideHaves(runGit, { read } as Parameters<typeof createHideHaves>[1]);

/** Line by line, as text. */
function model(lines: readonly string[], isVersion2: boolean): string {
  const haves = lines.map((line) => /^(have|shallow) ([0-9a-f]{40})/i.exec(line));
  const isOut = (at: number) => haves[at] !== null && typeOf(haves[at]![2]!.toLowerCase()) !== "commit";
  const isHave = (at: number) => /^have/i.test(haves[at]?.[1] ?? "");
  const every = [...lines.keys()];
  const isSilenced = isVersion2 && !every.some((at) => isHave(at) && !isOut(at));
  const first = isSilenced ? every.find(isHave) : undefined;
  const kept = every.map((at) => {
    if (!isOut(at)) return packet(lines[at]!);
    return at === first ? packet(`have ${"0".repeat(40)}\n`) : "";
  });
  return `${kept.join("")}0000`;
}

test("takes out what is not a commit, wherever it stands", async () => {
  const random = seededRandom(3);
  const pick = <T>(from: readonly T[]) => from[Math.floor(random() * from.length)]!;
  const words = ["have", "have", "shallow", "want", "hav", "sha"];
  const line = (top: number) =>
    `${pick(words)} ${pick([(id: string) => id, (id: string) => id.toUpperCase()])(idOf(Math.floor(random() * top)))}${pick(["\n", "", "x\n", " y"])}`;
  for (let round = 0; round < size(120, 500); round += 1) {
    const lines = Array.from({ length: Math.floor(random() * 8) }, () => line(pick([4, 1, 2])));
    const packets = Buffer.from(`${lines.map(packet).join("")}0000`);
    for (const isVersion2 of [true, false])
      expect(String(await hideHaves({ directory: "", packets, isVersion2 }))).toBe(model(lines, isVersion2));
  }
});

test("others have their turn while tens of thousands are judged", async () => {
  const lines = Array.from({ length: 60_000 }, (_, n) => `have ${idOf(n)}\n`);
  const packets = Buffer.from(`${lines.map(packet).join("")}0000`);
  const { result, turns } = await watchTurns(() => hideHaves({ directory: "", packets, isVersion2: true }));
  expect(String(result)).toBe(model(lines, true));
  // Read twice, asked for, answered, and judged: about 30 turns each.
  expect(turns).toBeGreaterThan(4 * 30);
});
