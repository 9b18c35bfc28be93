/** The keyring file: made once, opened by whatever wrapped it, replaced as a whole. */
import { chmod, mkdtemp, readFile, rm, stat, unlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { currentKey, type DataKey } from "@forgeline/keyring/data-key.ts";
import { renderKeyring, replaceFile } from "@forgeline/keyring/keyring-file.ts";
import { newDataKey, openKeyring, type KeyringSettings } from "@forgeline/keyring/open-keyring.ts";

let directory: string;
let settings: KeyringSettings;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "forgeline-keyring-"));
  settings = { keyring: join(directory, "keyring.json"), file: join(directory, "instance.key") };
});
afterEach(() => rm(directory, { recursive: true, force: true }));

const base64 = (byte: number) => Buffer.alloc(32, byte).toString("base64");
const bytesOf = (keys: readonly DataKey[]) => keys.map(({ bytes }) => bytes.toString("hex"));

/** Wraps all keys again, as a rotation does. */
async function wrapAgain(given: KeyringSettings): Promise<void> {
  const { keys, wrapping } = await openKeyring(given);
  await replaceFile(given.keyring, await renderKeyring(keys, wrapping));
}

describe("a new instance", () => {
  it("gets a key file and a keyring, which several processes share", async () => {
    const opened = await Promise.all(Array.from({ length: 8 }, () => openKeyring(settings)));
    expect(new Set(opened.map(({ keys }) => bytesOf(keys).join()))).toHaveLength(1);
    for (const file of [settings.keyring, settings.file])
      expect(((await stat(file)).mode & 0o777).toString(8)).toBe("600");
  });

  it("never shows a data key in its keyring", async () => {
    const { keys } = await openKeyring(settings);
    expect(keys[0]?.marksValues).toBe(true);
    const text = await readFile(settings.keyring, "utf8");
    expect(text).not.toContain(keys[0]?.bytes.toString("base64"));
    expect(text).not.toContain((await readFile(settings.file, "utf8")).trim());
  });

  it("makes no file where the key is in the environment", async () => {
    await openKeyring({ ...settings, environment: base64(1) });
    await expect(stat(settings.file)).rejects.toThrow("ENOENT");
  });
});

it("an instance that had only a key file keeps its key, and its values have no mark", async () => {
  await writeFile(settings.file, `${base64(3)}\n`);
  const { keys } = await openKeyring({ ...settings, environment: base64(1) });
  expect(keys).toMatchObject([{ bytes: Buffer.alloc(32, 3), marksValues: false }]);
});

describe("the wrapping key", () => {
  it("moves from the file to the environment without a change of the keyring", async () => {
    const before = await openKeyring(settings);
    const environment = await readFile(settings.file, "utf8");
    await unlink(settings.file);
    const after = await openKeyring({ ...settings, environment });
    expect(bytesOf(after.keys)).toEqual(bytesOf(before.keys));
    expect(after.wrapping.placeOf(after.keys[0]?.wrappedBy ?? "")).toBe("environment");
  });

  it("is replaced by a new first line; then the old one is not needed any more", async () => {
    const before = await openKeyring(settings);
    const old = await readFile(settings.file, "utf8");
    await writeFile(settings.file, `${base64(5)}\n${old}`);
    await wrapAgain(settings);
    await writeFile(settings.file, base64(5));
    expect(bytesOf((await openKeyring(settings)).keys)).toEqual(bytesOf(before.keys));
    await writeFile(settings.file, old);
    await expect(openKeyring(settings)).rejects.toThrow("is not there: check FORGELINE_KEY_FILE");
  });

  it("is missed in words", async () => {
    await openKeyring(settings);
    await unlink(settings.file);
    await expect(openKeyring(settings)).rejects.toThrow("neither FORGELINE_KEY nor FORGELINE_KEY_PROGRAM");
    await expect(openKeyring({ ...settings, environment: "c2hvcnQ=" })).rejects.toThrow(
      "FORGELINE_KEY must hold keys of 32 bytes in base64",
    );
  });
});

it("a damaged keyring is refused, and left as it is", async () => {
  await openKeyring(settings);
  for (const text of ["", "{", '{"format":2,"keys":[]}', '{"format":1,"keys":[]}']) {
    await writeFile(settings.keyring, text);
    await expect(openKeyring(settings)).rejects.toThrow("the keyring is damaged");
    expect(await readFile(settings.keyring, "utf8")).toBe(text);
  }
});

it("the current key is the newest whose time has come", () => {
  const at = (minute: number) => new Date(Date.UTC(2026, 0, 1, 0, minute));
  const keys = [3, 2, 1].map((minute) => newDataKey({ currentFrom: at(minute), rotation: null }));
  expect(currentKey(keys, at(4))).toBe(keys[0]);
  expect(currentKey(keys, at(2))).toBe(keys[1]);
  expect(currentKey(keys, at(0))).toBe(keys[0]);
  expect(() => currentKey([], at(0))).toThrow("empty");
});

describe("a program", () => {
  /** Turns each byte of what it wraps around. */
  const good = `
    let text = "";
    process.stdin.on("data", (chunk) => (text += chunk)).on("end", () => {
      const { version, operation, plaintext, wrapped } = JSON.parse(text);
      const turned = Buffer.from(plaintext ?? wrapped, "base64").map((byte) => byte ^ 0x55).toString("base64");
      if (version !== 1) process.exit(9);
      console.log(JSON.stringify(operation === "wrap" ? { wrapped: turned } : { plaintext: turned }));
    });`;

  async function program(code: string): Promise<string> {
    const path = join(directory, "kms");
    await writeFile(path, `#!${process.execPath}\n${code}`);
    await chmod(path, 0o755);
    return path;
  }

  it("wraps and unwraps, and takes over from a file at the next rotation", async () => {
    const before = await openKeyring(settings);
    const withProgram = { ...settings, program: await program(good) };
    await wrapAgain(withProgram);
    await unlink(settings.file);
    const after = await openKeyring(withProgram);
    expect(bytesOf(after.keys)).toEqual(bytesOf(before.keys));
    expect(after.wrapping.placeOf(after.keys[0]?.wrappedBy ?? "")).toBe("program");
    await writeFile(settings.file, base64(1));
    await expect(openKeyring(settings)).rejects.toThrow("set FORGELINE_KEY_PROGRAM");
  });

  it.each([
    ["fails with a reason", 'console.error("no permission"); process.exit(3)', /status 3: no permission/],
    ["answers nothing", "", /did not answer as documented/],
    ["answers something else", 'console.log("{}")', /did not answer as documented/],
    [
      "talks without end",
      'setInterval(() => process.stdout.write("x".repeat(65536)), 1)',
      /was ended \(SIGKILL\)/,
    ],
    [
      "returns a short key",
      'console.log(JSON.stringify({ plaintext: "AAAA" }))',
      /returned 3 bytes instead of 32/,
    ],
  ])("that %s is an error that says so", async (_what, code, expected) => {
    const path = await program(good);
    await openKeyring({ ...settings, program: path });
    await writeFile(path, `#!${process.execPath}\n${code}`);
    await expect(openKeyring({ ...settings, program: path })).rejects.toThrow(expected);
  });

  it("that is not there is an error that says so", async () => {
    await expect(openKeyring({ ...settings, program: join(directory, "absent") })).rejects.toThrow(
      /absent cannot be started/,
    );
  });
});
