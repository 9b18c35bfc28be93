/**
 * A step that plays with every file that the runner looks at: its own outputs, those of later steps, its log, and whatever
 * decides a result. No byte of the machine is read or changed, and no later step's result, log or output is another's.
 */
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { importTestImage } from "../support/test-image.ts";
import { docker, onEachRunner, runHostile, tellsOfDaemon } from "./support/hostile-bed.ts";
import { size } from "../support/size.ts";

const image = "forgeline-test/tools:1";
const canary = "a line of the machine\n";
let canaries: string;
beforeAll(async () => {
  canaries = await mkdtemp(join(tmpdir(), "forgeline-canaries-"));
  await writeFile(join(canaries, "file"), canary);
  await importTestImage(docker, {
    name: image,
    programs: [
      { path: "/usr/bin/prlimit", as: ["prlimit"] },
      { path: "/usr/bin/strace", as: ["strace"] },
    ],
  });
});
afterAll(async () => {
  await docker.getImage(image).remove({ force: true });
  await rm(canaries, { recursive: true, force: true });
});

/** What may stand in a file's place; `$at` is its path. */
function swaps(links: number): Record<string, string> {
  return {
    "symbolic link": `ln -sfn ${canaries}/file $at`,
    "link to a directory": `ln -sfn ${canaries} $at`,
    "link to itself": "ln -sfn $at $at",
    "hard links": `echo forged=1 >$at; i=0; while [ $i -lt ${links} ]; do ln $at $at.$i || break; i=$((i+1)); done`,
    pipe: "mkfifo $at",
    directory: "mkdir -p $at/full; echo forged=1 >$at/full/file",
    "sparse terabyte": "truncate -s 1099511627776 $at",
    "closed file": "echo forged=1 >$at; chmod 0 $at",
    contents: "echo forged=1 >$at",
  };
}

const honest = 'echo "the log"; echo own=1 >>"$CI_OUTPUT"; exit 7';
const honestEnd = { exit: { kind: "exited", code: 7 }, output: "the log\n", written: "own=1\n" };

onEachRunner((kind) => {
  test("what a step puts in the place of later ones' files is set aside, and changes nothing", async () => {
    const kinds = Object.entries(swaps(size(100, 70_000)));
    const steps = kinds.flatMap(([, swap], index) => {
      const places = ["ci", "summary", "out", "exit"].map((end) => `step-${index * 2 + 1}.${end}`);
      const plant = `for name in ${places.join(" ")} own journal control; do at=\${CI_OUTPUT%/*}/$name; rm -rf $at; ${swap}; done`;
      return [`set +e; exec 2>/dev/null; ${plant}; true`, honest];
    });
    const { steps: ran, left } = await runHostile(kind, {
      image: { name: image, user: null },
      steps,
      stepTimeoutMs: size(30_000, 300_000),
    });
    for (const [index, [name]] of kinds.entries()) {
      expect(ran[index * 2 + 1], name).toMatchObject(honestEnd);
      expect(ran[index * 2 + 1]?.planted, name).toHaveLength(2);
    }
    expect(left).toEqual([]);
    expect(await readFile(join(canaries, "file"), "utf8")).toBe(canary);
  });

  test.runIf(tellsOfDaemon(kind))(
    "what a step puts in the place of its own outputs is data at most",
    async () => {
      const kinds = Object.entries(swaps(10));
      const steps = kinds.map(
        ([, swap]) => `set +e; exec 2>/dev/null; at=$CI_OUTPUT; rm -f $at; ${swap}; true`,
      );
      const { steps: ran } = await runHostile(kind, { image: { name: image, user: null }, steps });
      for (const [index, [name]] of kinds.entries()) {
        expect(ran[index]?.exit, name).toMatchObject({ kind: "exited" });
        expect(ran[index]?.written ?? "", name).not.toContain("machine");
        expect((ran[index]?.written ?? "").length, name).toBeLessThanOrEqual(10_000);
      }
      expect(await readFile(join(canaries, "file"), "utf8")).toBe(canary);
    },
  );

  test.runIf(tellsOfDaemon(kind))(
    "a step cannot shorten its log, nor touch process 1, nor anything that decides a result",
    async () => {
      const attacks = [
        "echo before; : >/proc/self/fd/1; truncate -s 0 /proc/self/fd/1; echo after",
        "for fd in /proc/1/fd/*; do echo ended 1 0 0 0 0 >$fd; cat <$fd; done; cat /proc/1/environ /proc/1/maps; true",
        "for file in /proc/1/root/${CI_OUTPUT%/out/*} /proc/1/cwd /proc/1/exe; do ls $file && echo reached; done; true",
        "strace -p 1 -o /dev/null && echo traced; echo x >/proc/1/mem && echo written; true",
        "kill -STOP 1; kill -KILL 1; kill -TERM 1; kill -CHLD 1; true",
        "cd ${CI_OUTPUT%/out/*}; echo 'run 9' >in/control && echo told; ls in out",
        "ls /proc/self/fd",
        "cd ${CI_OUTPUT%/*}; (while :; do for n in ci summary; do ln -sfn /etc/passwd step-8.$n; rm -f step-8.$n; done; done) >/dev/null 2>&1 & true",
      ];
      const { steps } = await runHostile(kind, {
        image: { name: image, user: null },
        steps: [...attacks.map((attack) => `set +e; exec 2>/dev/null; ${attack}`), "echo still here; exit 5"],
      });
      expect(steps[0]).toMatchObject({ exit: { kind: "exited", code: 0 }, output: "before\nafter\n" });
      for (const position of [1, 2, 3, 4]) expect(steps[position]?.output).toBe("");
      expect(steps[5]?.output).not.toMatch(/told|control|journal|own/);
      // The last one is that of the list itself.
      expect(steps[6]?.output).toBe("0\n1\n2\n3\n");
      expect(steps[8]).toMatchObject({ exit: { kind: "exited", code: 5 }, output: "still here\n" });
    },
  );

  test("a step that closes the directory of its outputs ends its job with a sentence that says so", async () => {
    const close = "cd ${CI_OUTPUT%/*}; chown 77 .; chmod 700 .; echo a=1 >>$CI_OUTPUT";
    const said = await runHostile(kind, {
      image: { name: image, user: null },
      steps: [close, "echo unheard"],
    }).then(({ steps }) => steps[1]?.output, String);
    // Nothing is closed to root.
    const ends = kind === "root" ? /^unheard\n$/ : /Step 2 could not start: .* \$CI_OUTPUT inaccessible/;
    expect(said).toMatch(ends);
  });

  test.runIf(tellsOfDaemon(kind))(
    "a step that takes process 1's limits away gets no success by it",
    async () => {
      const { steps } = await runHostile(kind, {
        image: { name: image, user: null },
        steps: ["prlimit --pid 1 --nofile=0:0 && echo taken", "echo unheard", "true"],
      });
      expect(steps[0]?.output).toBe("taken\n");
      for (const later of steps.slice(1)) expect(later.exit).not.toEqual({ kind: "exited", code: 0 });
    },
  );
});
