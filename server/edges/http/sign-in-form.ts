/** Name, password and code as a form of a page sends them. */
import { SignIn } from "@forgeline/schemas/sessions/resource.ts";
import { isStorable } from "../../platform/storable-text.ts";

/** Undefined unless both name and password are filled in. */
export function signInOf(form: ReadonlyMap<string, string>): SignIn | undefined {
  const username = form.get("username") ?? "";
  const otp = form.get("otp")?.trim();
  const given = SignIn.safeParse({ username, password: form.get("password"), ...(otp ? { otp } : {}) });
  return given.success && isStorable(username) ? given.data : undefined;
}
