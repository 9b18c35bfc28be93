/**
 * Chromium isolated from the machine's network: it drops connections whenever an address of the machine changes, and other tests
 * make and remove Docker networks all the time.
 */
import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type Browser } from "playwright-core";
import { pathOf } from "../../programs/needs.ts";
import { openSocksProxy } from "./proxy.ts";

const own = (name: string) => join(import.meta.dirname, name);
/** All that a page asks for goes through it, loopback too. */
const throughRelay = ["--proxy-server=socks5://127.0.0.1:1080", "--proxy-bypass-list=<-loopback>"];

/** Without a namespace, where the machine allows none: pages may then be cut by other tests. */
export async function launchIsolated(args: string[]): Promise<Browser> {
  const program = pathOf("chromium-headless-shell");
  const flags = namespaceFlags();
  if (flags === undefined) return chromium.launch({ executablePath: program, args });
  const socketFile = join(tmpdir(), `forgeline-proxy-${randomUUID()}`);
  const proxy = await openSocksProxy(socketFile);
  try {
    const browser = await chromium.launch({
      executablePath: own("chromium.sh"),
      args: [...args, ...throughRelay],
      env: {
        ...environment(),
        ISOLATED_UNSHARE: flags,
        ISOLATED_CHROMIUM: program,
        ISOLATED_NODE: process.execPath,
        ISOLATED_RELAY: own("relay.mjs"),
        ISOLATED_SOCKET: socketFile,
      },
    });
    browser.once("disconnected", () => proxy.close());
    await proxy.open;
    return browser;
  } catch (error) {
    proxy.close();
    throw error;
  }
}

/** `ip` is not on everyone's path. */
function environment(): NodeJS.ProcessEnv {
  return { ...process.env, PATH: `${process.env["PATH"] ?? ""}:/usr/sbin:/sbin` };
}

let known: { flags: string | undefined } | undefined;

function namespaceFlags(): string | undefined {
  const candidates = ["--net", "--user --map-root-user --net"];
  const probe = ["ip", "link", "add", "web0", "type", "veth"];
  const works = (flags: string) =>
    spawnSync("unshare", [...flags.split(" "), ...probe], { env: environment() }).status === 0;
  known ??= { flags: candidates.find(works) };
  return known.flags;
}
