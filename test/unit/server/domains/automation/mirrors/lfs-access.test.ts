/** What an SSH server answers about Git LFS. */
import { expect, test, vi } from "vitest";
import { leftOut, openLfs } from "@forgeline/server/domains/automation/mirrors/lfs-access.ts";

const source = (url: string) => ({ protocol: "ssh", url, host: "git.example.com", port: null }) as const;
const login = { basic: null, privateKey: null, hostKey: null };

function ask(answers: (object | string | null)[], url = "git@git.example.com:acme/site.git") {
  const asked: string[][] = [];
  const command = async (words: readonly string[]) => {
    asked.push([...words]);
    const answer = answers.length > 1 ? answers.shift() : answers[0];
    return typeof answer === "object" && answer !== null ? JSON.stringify(answer) : (answer ?? null);
  };
  const signal = new AbortController().signal;
  const opened = openLfs({ source: source(url), login, remote: { command }, operation: "download", signal });
  return { opened, asked };
}

test("the server says where, and how to identify", async () => {
  const header = { Authorization: "RemoteAuth abc" };
  const { opened, asked } = ask([{ href: "https://lfs.example.com/acme/site/", header, expires_in: 3600 }]);
  expect(await (await opened)?.()).toMatchObject({
    base: "https://lfs.example.com/acme/site",
    headers: header,
  });
  expect(asked).toEqual([["git-lfs-authenticate", "acme/site.git", "download"]]);
});

test.each([
  ["git@git.example.com:acme/site.git", "acme/site.git"],
  ["ssh://git@git.example.com:2222/acme/site.git", "/acme/site.git"],
  ["ssh://git.example.com/acme/s%20ite", "/acme/s ite"],
])("without an address it is beside the repository: %s", async (url, path) => {
  const { opened, asked } = ask([{ header: {} }], url);
  const plain = path.replace(/^\//, "").replace(/\.git$/, "");
  expect((await (await opened)?.())?.base).toBe(`https://git.example.com/${plain}.git/info/lfs`);
  expect(asked[0]?.[1]).toBe(path);
});

test.each([[null], [""], ["Unknown command: git-lfs-authenticate"], [{ href: 7 }], [{ header: ["a"] }]])(
  "a server without it: %j",
  async (answer) => expect(await ask([answer]).opened).toBeUndefined(),
);

test("what ends soon is asked for again, and kept if there is no answer", async () => {
  vi.useFakeTimers({ toFake: ["performance", "Date"] });
  try {
    const { opened, asked } = ask([
      { href: "https://a.example.com", expires_in: 600 },
      { href: "https://b.example.com", expires_at: new Date(Date.now() + 1_200_000).toISOString() },
      null,
    ]);
    const find = await opened;
    vi.advanceTimersByTime(500_000);
    expect((await find?.())?.base).toBe("https://a.example.com");
    vi.advanceTimersByTime(50_000);
    expect((await find?.())?.base).toBe("https://b.example.com");
    vi.advanceTimersByTime(700_000);
    expect((await find?.())?.base).toBe("https://b.example.com");
    expect(asked.length).toBe(3);
  } finally {
    vi.useRealTimers();
  }
});

test("it is said in words what was left out", () => {
  const ssh = source("git@git.example.com:acme/site.git");
  expect(leftOut(1, "target", ssh)).toBe(
    "1 Git LFS object was left out: the target does not offer it over SSH.",
  );
  expect(leftOut(3, "source", { ...ssh, protocol: "git" })).toBe(
    "3 Git LFS objects were left out: git:// has none.",
  );
});
