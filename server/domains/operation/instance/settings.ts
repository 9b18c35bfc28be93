/** Settings that administrators change while the server runs. Those set by the environment are fixed. */
import { isIPv4 } from "node:net";
import type { InstanceSettings } from "@forgeline/schemas/instance/routes.ts";
import type { Config } from "../../../config/config.ts";
import type { Database } from "../../../platform/db/database.ts";
import { AppError } from "../../../platform/app-error.ts";
import { recordAudit } from "../audit/record.ts";
import type { Actor } from "../../../platform/access/actor.ts";
import { readSignUp, writeSignUp } from "./settings.store.ts";

export interface SettingsChange {
  sign_up?: InstanceSettings["sign_up"] | undefined;
}

export interface InstanceSettingsService {
  get(): Promise<InstanceSettings>;
  /** Throws `conflict` for a setting that the environment sets. */
  update(actor: Actor, change: SettingsChange): Promise<InstanceSettings>;
  isSignUpOpen(ipAddress: string): Promise<boolean>;
  /** Throws `forbidden` where sign-up is closed for a request from this address. */
  requireOpenSignUp(ipAddress: string): Promise<void>;
}

export interface InstanceSettingsDeps {
  db: Database;
  config: Pick<Config, "signUp">;
  /** `https://HOST`. */
  webUrl: string;
}

export function createInstanceSettings(deps: InstanceSettingsDeps): InstanceSettingsService {
  const { db, config } = deps;
  const get = async (): Promise<InstanceSettings> => ({ sign_up: config.signUp ?? (await readSignUp(db)) });
  const isSignUpOpen = async (ipAddress: string): Promise<boolean> => {
    const { sign_up: set } = await get();
    return set === null ? isOnlyHere(deps.webUrl, ipAddress) : set === "open";
  };
  return {
    get,
    isSignUpOpen,
    async update(actor, change) {
      const signUp = change.sign_up;
      if (signUp === undefined) return get();
      if (config.signUp !== undefined)
        throw new AppError("conflict", { message: "This is set by FORGELINE_SIGN_UP; change it there." });
      await db.transaction(async (tx) => {
        await writeSignUp(tx, signUp);
        await recordAudit(tx, actor, {
          action: "instance.settings_change",
          target: { type: "instance", id: "", name: "settings" },
          details: { sign_up: signUp },
        });
      });
      return get();
    },
    async requireOpenSignUp(ipAddress) {
      if (!(await isSignUpOpen(ipAddress)))
        throw new AppError("forbidden", {
          message: "Sign-up is closed; ask an administrator for an account.",
        });
    },
  };
}

/**
 * Both are required: behind a proxy on this machine, every request comes from it; and a public name means that others use it.
 */
function isOnlyHere(webUrl: string, ipAddress: string): boolean {
  const host = new URL(webUrl).hostname;
  return (host === "localhost" || isLoopback(host.replace(/^\[|\]$/g, ""))) && isLoopback(ipAddress);
}

function isLoopback(address: string): boolean {
  return address === "::1" || (isIPv4(address) && address.startsWith("127."));
}
