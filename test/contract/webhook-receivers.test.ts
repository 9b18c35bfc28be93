/** The examples of docs/webhooks.md accept what Forgeline signs, and nothing else: each is run as it stands there. */
import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { loadLauncherConfig } from "@forgeline/launcher/config.ts";
import { signatureHeaders } from "@forgeline/server/domains/automation/webhooks/signatures.ts";
import { ensureGo } from "../support/go.ts";
import { installedStandardWebhooks } from "../support/standard-webhooks.ts";

const run = promisify(execFile);
const page = await readFile("docs/webhooks.md", "utf8");
const { cache } = loadLauncherConfig();
const withLibrary = await installedStandardWebhooks(cache);

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "forgeline-receivers-"));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

/** The first block of the language on the page. */
function example(language: string): string {
  const block = new RegExp(`\\n\`\`\`${language}\\n([\\s\\S]*?)\\n\`\`\``).exec(page)?.[1];
  if (block === undefined) throw new Error(`docs/webhooks.md has no example in ${language}`);
  return block;
}

interface Receiver {
  /** Path → content; the example is among them. */
  files: Record<string, string>;
  /** The arguments after it are the secret, and each signature with the file of its body; it prints `true` or `false` for each. */
  command(): Promise<[program: string, ...args: string[]]>;
}

const goMain = `package main

import ("fmt"; "os"; "example.com/receiver/webhook")

func main() {
	for at := 2; at < len(os.Args); at += 2 {
		body, _ := os.ReadFile(os.Args[at+1])
		fmt.Println(webhook.IsFromForgeline(os.Args[1], os.Args[at], body))
	}
}
`;

/** A source that is run as it stands runs its first class. */
const javaMain = `class Main {
    public static void main(String[] args) throws Exception {
        for (int at = 1; at < args.length; at += 2) {
            byte[] body = java.nio.file.Files.readAllBytes(java.nio.file.Path.of(args[at + 1]));
            System.out.println(Webhook.isFromForgeline(args[0], args[at], body));
        }
    }
}`;

const receivers: Record<string, Receiver> = {
  js: {
    files: {
      "verify.mjs": example("js"),
      "main.mjs": `import { readFileSync } from "node:fs";
import { isFromForgeline } from "./verify.mjs";
const [secret, ...pairs] = process.argv.slice(2);
for (let at = 0; at < pairs.length; at += 2)
  console.log(isFromForgeline(secret, pairs[at], readFileSync(pairs[at + 1])));`,
    },
    command: async () => [process.execPath, "main.mjs"],
  },
  python: {
    files: {
      "main.py": `${example("python")}

import sys
for at in range(2, len(sys.argv), 2):
    print(str(is_from_forgeline(sys.argv[1], sys.argv[at], open(sys.argv[at + 1], "rb").read())).lower())`,
    },
    command: async () => ["python3", "main.py"],
  },
  go: {
    files: {
      "go.mod": "module example.com/receiver\n\ngo 1.21\n",
      "webhook/webhook.go": example("go"),
      "main.go": goMain,
    },
    command: async () => [await ensureGo(cache, () => undefined), "run", "."],
  },
  java: {
    files: {
      "Main.java": `${example("java").replace("class Webhook", `${javaMain}\nclass Webhook`)}`,
    },
    command: async () => ["java", "Main.java"],
  },
  perl: {
    files: {
      "main.pl": `${example("perl")}
my $secret = shift @ARGV;
while (my ($signature, $file) = splice(@ARGV, 0, 2)) {
    open(my $in, "<:raw", $file); local $/; my $body = <$in>;
    print is_from_forgeline($secret, $signature, $body) ? "true" : "false", "\\n";
}`,
    },
    command: async () => ["perl", "main.pl"],
  },
};

const secret = "a-secret-of-my-own";
const other = "another-secret-of-mine";
const body = JSON.stringify({ event: "push", text: "Grüße 😀" });
const sign = (secrets: readonly string[], text: string, timestamp = Math.floor(Date.now() / 1000)) =>
  signatureHeaders(secrets, { deliveryId: "dlv_1", timestamp, body: text });

describe.each(Object.entries(receivers))("the example in %s", (language, { files, command }) => {
  const place = () => join(directory, language);
  beforeAll(async () => {
    for (const [path, content] of Object.entries({ ...files, body, changed: `${body} ` })) {
      await mkdir(join(place(), path, ".."), { recursive: true });
      await writeFile(join(place(), path), content);
    }
  });
  const answersTo = async (...pairs: [signature: string, file: string][]) => {
    const [program, ...args] = await command();
    // Go compiles its own library for the first program: once for all runs.
    const env = { ...process.env, GOFLAGS: "-mod=mod", GOCACHE: join(cache, "go-build") };
    const { stdout } = await run(program, [...args, secret, ...pairs.flat()], { cwd: place(), env });
    return stdout.trim().split("\n");
  };

  test("accepts one signature, one of two, and nothing else", { timeout: 120_000 }, async () => {
    const ours = sign([secret], body)["x-svc-signature-256"] ?? "";
    const both = sign([other, secret], body)["x-svc-signature-256"] ?? "";
    const foreign = sign([other], body)["x-svc-signature-256"] ?? "";
    const answers = await answersTo(
      [ours, "body"],
      [both, "body"],
      [foreign, "body"],
      [ours, "changed"],
      ["sha256=", "body"],
    );
    expect(answers).toEqual(["true", "true", "false", "false", "false"]);
  });
});

test.runIf(withLibrary)("Python's library of Standard Webhooks accepts it, too", async () => {
  const headers = sign([secret], body);
  const program = `
import json, sys
from standardwebhooks.webhooks import Webhook
secret, headers, body = json.loads(sys.argv[1])
try:
    Webhook(secret).verify(body, headers)
    print("true")
except Exception as error:
    print("false", type(error).__name__)
`;
  const verify = async (text: string, given: Record<string, string>) => {
    const standard = `whsec_${Buffer.from(secret).toString("base64")}`;
    const { stdout } = await run(withLibrary ?? "", ["-c", program, JSON.stringify([standard, given, text])]);
    return stdout.trim();
  };
  expect(await verify(body, headers)).toBe("true");
  expect(await verify(`${body} `, headers)).toContain("false");
  expect(await verify(body, sign([secret], body, 1_600_000_000))).toContain("false");
});
