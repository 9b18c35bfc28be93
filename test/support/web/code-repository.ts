/** A repository for pages about code, pushed by the real Git: hostile names and contents beside ordinary ones. */
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { scopes } from "@forgeline/schemas/core/scopes.ts";
import { addressWithToken, createGitClient, type GitClient } from "../../integration/git/git-client.ts";
import type { ApiServer, TestPerson } from "../api-server.ts";
import { signUp } from "../browser.ts";
import { password } from "./visitor.ts";

export interface CodeRepository {
  ada: TestPerson;
  client: GitClient;
  /** Working tree whose `origin` is `ada/code`. */
  tree: string;
  /** The second commit of `main`. */
  change: string;
}

export const hostileName = `<img src=x onerror=alert(1)> & 100%2F "#?.txt`;
export const hostileWords = "<img src=x onerror=alert(1)>";

const pixel =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
const vector = `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="40" onload="document.title='broken in'"><script>document.title='broken in'</script><circle r="20" cx="20" cy="20" fill="teal"/></svg>`;

const readme = `# Engine

Parses things. See [the guide](docs/guide.md#first-steps), [below](#how-to) and [the source](/src/).

<script>document.title = "broken in"</script>
<img src="docs/dot.png" alt="harmless" onerror="document.title='broken in'">
<a href="javascript:document.title='broken in'">press me</a>
<iframe src="https://outside.example/"></iframe>
<div style="position: fixed; inset: 0">covered</div>

![logo](docs/logo.svg) ![dot](docs/dot.png) ![tracker](https://outside.example/pixel.png)

## How to

- [x] parse
- [ ] print

| Left | Right |
|---|--:|
| a | 1 |

\`\`\`ts
export const answer: number = 42; // as ever
\`\`\`
`;

/** People write \`ada/code\`: two commits on \`main\`, the branch \`feature/tables\`, the tag \`v1.0\`. */
export async function pushCodeRepository(server: ApiServer): Promise<CodeRepository> {
  await signUp(server, "ada", password);
  const { json } = await server.api("GET", "/users/ada");
  const someone = { id: json.id, username: "ada", token: "" };
  const ada = { ...someone, token: await server.tokenFor(someone, scopes) };
  const body = { name: "code", description: `Parses ${hostileWords}`, visibility: "public" };
  const made = await server.api("POST", "/repos", { token: ada.token, body });
  if (made.status !== 201) throw new Error(made.text);
  const client = await createGitClient(server.caFile);
  const tree = await client.workTree({ "README.md": readme });
  const git = (...args: string[]) => client.ok(args, { cwd: tree });
  await git("remote", "add", "origin", addressWithToken(server.webUrl, "ada/code", ada.token));
  await writeFiles(tree);
  const change = await client.commit(tree, {}, `Add sources ${hostileWords}\n\nWith a body.`);
  await git("tag", "-a", "v1.0", "-m", "First release");
  await git("checkout", "-q", "-b", "feature/tables");
  await client.commit(tree, { "src/answer.ts": source.replace("42", "43") }, "Change the answer");
  await git("checkout", "-q", "main");
  await git("push", "-q", "origin", "main", "feature/tables", "v1.0");
  return { ada, client, tree, change };
}

const source = `/** The answer. */\nexport function answer(): number {\n  return 42;\n}\n\nconst page = "</script><script>document.title='broken in'</script>";\n`;

async function writeFiles(tree: string): Promise<void> {
  await mkdir(join(tree, "docs"));
  await mkdir(join(tree, "src"));
  const files: Record<string, string | Buffer> = {
    "docs/guide.md":
      "# Guide\n\n## First steps\n\nBack to [the README](../README.md) or [out](../../../etc/passwd).\n",
    "docs/logo.svg": vector,
    "docs/dot.png": Buffer.from(pixel, "base64"),
    "src/answer.ts": source,
    "src/script.html": "<html><script>document.title = 'broken in'</script></html>\n",
    "src/long.txt": Array.from({ length: 3_000 }, (_, line) => `line ${line + 1}`).join("\n"),
    "src/data.bin": Buffer.from([0, 255, 1, 254, 10]),
    [hostileName]: `${hostileWords}\n`,
  };
  for (const [path, content] of Object.entries(files)) await writeFile(join(tree, path), content);
}
