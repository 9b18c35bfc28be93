/** `clone URL DIR | commit DIR FILE TEXT | push DIR REFSPEC | fetch DIR`: as a program that uses isomorphic-git does it. */
import fs from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import git from "isomorphic-git";
import http from "isomorphic-git/http/node";

const [verb, first = "", ...rest] = process.argv.slice(2);
const url = new URL(
  verb === "clone" ? first : await git.getConfig({ fs, dir: first, path: "remote.origin.url" }),
);
/** The library does not take it from the address. */
const onAuth = () => ({ username: url.username, password: url.password });
const onMessage = (text: string) => void process.stderr.write(text);
const author = { name: "Ada", email: "ada@example.org" };

if (verb === "clone") await git.clone({ fs, http, dir: rest[0]!, url: url.href, onAuth, onMessage });
if (verb === "commit") {
  const [filepath = "", text = ""] = rest;
  await writeFile(join(first, filepath), text);
  await git.add({ fs, dir: first, filepath });
  console.log(await git.commit({ fs, dir: first, message: "by isomorphic-git", author }));
}
if (verb === "push") {
  const [ref = "", remoteRef = ""] = rest[0]!.split(":");
  const { ok, refs } = await git.push({ fs, http, dir: first, ref, remoteRef, onAuth, onMessage });
  if (!ok) throw new Error(JSON.stringify(refs));
}
if (verb === "fetch") {
  await git.fetch({ fs, http, dir: first, ref: "main", onAuth, onMessage });
  console.log(await git.resolveRef({ fs, dir: first, ref: "refs/remotes/origin/main" }));
}
