#!/usr/bin/env node
// `forgeline` on whatever Node PATH has. Our TypeScript needs 24, which the lock file brings; so this is plain JavaScript.
import { spawn } from "node:child_process";
import module, { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const main = fileURLToPath(new URL("main.ts", import.meta.url));
if (Number(process.versions.node.split(".")[0]) >= 24) {
  const place = compiled();
  if (place) module.enableCompileCache(place);
  await import("./main.ts");
} else runOn(bundledNode());

/** Compiling is nearly half of a start. Never Node's own place for it: that is in `/tmp`, where another user could be first. */
function compiled() {
  const { NODE_COMPILE_CACHE: named, XDG_CACHE_HOME: caches, HOME: home } = process.env;
  if (named) return named;
  const base = caches || (home && join(home, ".cache"));
  return base && join(base, "forgeline", "compiled");
}

function bundledNode() {
  const { resolve } = createRequire(import.meta.url);
  const platform = `${process.platform}-${process.arch}`;
  for (const name of [`node-${platform}`, `node-bin-${platform}`])
    try {
      return join(resolve(`${name}/package.json`), "..", "bin", "node");
    } catch {
      // Not installed, or not made for this platform.
    }
  console.error(
    `forgeline needs Node 24 or newer: this is ${process.version}, and no other is installed beside it. Run "npm ci" in Forgeline's checkout, or install Node 24.`,
  );
  process.exit(1);
}

function runOn(node) {
  const args = ["--disable-warning=ExperimentalWarning", main, ...process.argv.slice(2)];
  const place = compiled();
  const env = place ? { ...process.env, NODE_COMPILE_CACHE: place } : process.env;
  // A channel tells the child when this process is killed.
  const child = spawn(node, args, { stdio: ["inherit", "inherit", "inherit", "ipc"], env });
  // A terminal sends Ctrl-C to the child itself; we only must not die before it.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
    process.on(signal, () => {
      if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal);
    });
  process.on("disconnect", () => child.connected && child.disconnect());
  child.on("exit", (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
}
