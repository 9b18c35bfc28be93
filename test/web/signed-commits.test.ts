/** The badge of signed commits, and the page of the OpenPGP keys by which they are verified. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addressWithToken, createGitClient, type GitClient } from "../integration/git/git-client.ts";
import {
  openPgpCommit,
  openPgpFingerprint,
  openPgpKey,
  openPgpKeyRevoked,
  parentCommit,
} from "../support/openpgp-key.ts";
import { lookAtPage } from "../support/web/look-at-page.ts";
import { startAsAda, stopAsAda, type AdasServer } from "../support/web/start-as-ada.ts";

let as: AdasServer;
let git: GitClient;

beforeAll(async () => {
  as = await startAsAda();
  git = await createGitClient(as.server.caFile);
  as.ada.page.setDefaultTimeout(8_000);
  await as.server.container.platform.db.query(
    "insert into user_emails (id, user_id, email, verified_at) values ('eml_ada', $1, 'ada@example.org', now())",
    [as.person.id],
  );
  await as.server.api("POST", "/repos", { token: as.person.token, body: { name: "signed" } });
  const tree = await git.workTree();
  const write = async (name: string, bytes: Buffer) => {
    await writeFile(join(tree, name), bytes);
    return git.ok(["hash-object", "-t", "commit", "-w", name], { cwd: tree });
  };
  await git.ok(["hash-object", "-t", "tree", "-w", "/dev/null"], { cwd: tree });
  await write("parent", parentCommit);
  const head = await write("commit", openPgpCommit);
  const address = addressWithToken(as.server.webUrl, "ada/signed", as.person.token);
  await git.ok(["push", "-q", address, `${head}:refs/heads/main`], { cwd: tree });
});
afterAll(async () => {
  await git?.remove();
  await stopAsAda(as ?? {});
});

const row = (title: string) => as.ada.page.getByRole("listitem").filter({ hasText: title });

test("a commit is verified once its key is known, and says by whose", async () => {
  const { ada } = as;
  const { page } = ada;
  await ada.goto("/ada/signed/commits");
  await row("by gpg").getByText("Unverified").click();
  await row("by gpg").getByText("Signed with a key that nobody here has.").waitFor();
  await lookAtPage(ada);

  await ada.goto("/settings/gpg-keys");
  await page.getByText("No OpenPGP key yet").waitFor();
  await lookAtPage(ada);
  await page.getByRole("button", { name: "Add a key" }).click();
  const dialog = page.getByRole("dialog", { name: "Add a key" });
  await dialog.getByLabel("Public key").fill("no key");
  await dialog.getByRole("button", { name: "Add key" }).click();
  await expect.poll(() => dialog.getByLabel("Public key").getAttribute("aria-invalid")).toBe("true");
  expect(ada.troubles.splice(0).every((trouble) => trouble.includes("422"))).toBe(true);
  await dialog.getByLabel("Public key").fill(openPgpKey);
  await dialog.getByRole("button", { name: "Add key" }).click();
  await page.getByText("ada@example.org", { exact: true }).waitFor();
  const fingerprint = page.getByRole("cell").getByText(new RegExp(openPgpFingerprint, "i"));
  await fingerprint.waitFor();
  expect(await page.getByText("revoked", { exact: true }).count()).toBe(0);

  await ada.goto("/ada/signed/commits");
  await row("by gpg").getByText("Verified", { exact: true }).click();
  await row("by gpg").getByText("Signed with a verified key of").waitFor();
  await row("by gpg").getByRole("link", { name: "ada", exact: true }).first().waitFor();
  await row("by ssh").getByText("Unverified").waitFor();
  await lookAtPage(ada);
  await row("by gpg").getByRole("link", { name: "by gpg", exact: true }).click();
  await page.getByText("Verified", { exact: true }).waitFor();
  await lookAtPage(ada);
});

test("a revoked key is shown as such, and one that is removed verifies nothing any more", async () => {
  const { ada } = as;
  const { page } = ada;
  const remove = async () => {
    await ada.goto("/settings/gpg-keys");
    await page.getByRole("button", { name: /^Remove / }).click();
    await lookAtPage(ada);
    await page.getByRole("dialog").getByRole("button", { name: "Remove" }).click();
    await page.getByText("No OpenPGP key yet").waitFor();
  };
  await remove();
  await ada.goto("/ada/signed/commits");
  await row("by gpg").getByText("Unverified").waitFor();

  await ada.goto("/settings/gpg-keys");
  await page.getByRole("button", { name: "Add a key" }).click();
  await page.getByRole("dialog").getByLabel("Public key").fill(openPgpKeyRevoked);
  await page.getByRole("dialog").getByRole("button", { name: "Add key" }).click();
  await page.getByText("ada@example.org", { exact: true }).waitFor();
  await ada.goto("/ada/signed/commits");
  await row("by gpg").getByText("Unverified").click();
  await row("by gpg").getByText("Signed with a key that was revoked.").waitFor();
  await remove();
});
