/** Made-up commands of SSH clients: valid ones, valid ones that were spoilt, and heaps of signs. */

export interface Meaning {
  program: "upload-pack" | "receive-pack" | "upload-archive" | "lfs-authenticate";
  owner: string;
  name: string;
  operation?: "download" | "upload";
}

const oid = "0123456789abcdef".repeat(4);

/** The same command about the one object that `spellings` knows: which one it names says nothing about who may. */
export function withKnownObject(text: string): string {
  return text.replace(/(?<= )[0-9a-f]{64}$/, oid);
}

/** Every text that may be taken to mean this, and no other may, but for the object that it names. */
export function spellings({ program, owner, name, operation }: Meaning): string[] {
  const paths = ["", "/"].flatMap((before) =>
    ["", ".git", "/", ".git/"].map((behind) => `${before}${owner}/${name}${behind}`),
  );
  const words = paths.flatMap((path) => [path, `'${path}'`]);
  const behind = operation === undefined ? [""] : [` ${operation}`, ` ${operation} ${oid}`];
  return ["git-", "git "].flatMap((git) =>
    words.flatMap((word) => behind.map((rest) => `${git}${program} ${word}${rest}`)),
  );
}

export const programs = ["upload-pack", "receive-pack", "upload-archive", "lfs-authenticate"] as const;
const signs = " '\"\\/.-~$`;&|<>()!*?#=%{}[]@:,\0\n\r\t\u202eé".split("");
/** Git has these too. */
const otherPrograms = ["shell", "upload", "lfs-transfer", "cvsserver", "daemon", "archive", "config"];
const words = [
  "git",
  "git-shell",
  "upload-pack",
  "receive-pack",
  "lfs-authenticate",
  "lfs-transfer",
  "--upload-pack=id",
  "-c",
  "--exec=id",
  "ada/code",
  "'ada/code'",
  "..",
  "'\\''",
  "'\\!'",
  "$(id)",
  "download",
  "upload",
  oid,
  "a".repeat(500),
  "sh -c id",
  "scp -f /etc/passwd",
];

export type RandomCommands = ReturnType<typeof randomCommands>;

export function randomCommands(random: () => number) {
  const upTo = (n: number) => Math.floor(random() * n);
  const oneOf = <T>(items: readonly T[]): T => items[upTo(items.length)]!;

  function meaning(): Meaning {
    const program = oneOf(programs);
    const common = { program, owner: oneOf(["ada", "bob"]), name: oneOf(["code", "my.code", "none"]) };
    return program === "lfs-authenticate"
      ? { ...common, operation: oneOf(["download", "upload"] as const) }
      : common;
  }
  function spoilt(text: string): string {
    const [at, length] = [upTo(text.length + 1), upTo(3)];
    const put = oneOf([
      () => oneOf(signs),
      () => oneOf(words),
      () => "",
      () => text.slice(upTo(text.length)),
    ])();
    return text.slice(0, at) + put + text.slice(at + length);
  }
  const otherwise = (text: string) => text.replace(/[a-z]+-[a-z]+(?= )/, () => oneOf(otherPrograms));
  function heap(): string {
    const parts = Array.from({ length: 1 + upTo(6) }, () => oneOf(random() < 0.5 ? signs : words));
    return parts.join(oneOf(["", " "]));
  }
  return {
    valid(): { text: string; meaning: Meaning } {
      const meant = meaning();
      return { text: oneOf(spellings(meant)), meaning: meant };
    },
    any(): string {
      const text = oneOf(spellings(meaning()));
      return oneOf([
        () => text,
        () => spoilt(text),
        () => spoilt(spoilt(text)),
        () => otherwise(text),
        heap,
      ])();
    },
  };
}
