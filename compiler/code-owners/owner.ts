/** How a CODEOWNERS file names an owner: `@user`, `@organization/team` or an e-mail address. */
import { quote } from "../suggest.ts";
import type { CodeOwner } from "./file.ts";

export interface OwnerProblem {
  message: string;
  suggestion?: string;
}

const maxLength = 2200;
const oneName = "[A-Za-z0-9_][A-Za-z0-9._-]{0,99}";
const userName = new RegExp(`^${oneName}$`);
const teamName = new RegExp(`^${oneName}(?:/${oneName})+$`);
const email = /^[^@\s\p{Cc}]{1,64}@[^@\s\p{Cc}]{1,255}$/u;

export function readOwner(text: string): CodeOwner | OwnerProblem {
  const name = text.replace(/^@/, "");
  const shown = quote(text);
  if (text.length > maxLength) return { message: `${shown} is too long for an owner` };
  if (text.startsWith("@@")) return { message: `${shown} is no owner: roles cannot own files, name a team` };
  if (text.startsWith("@")) {
    const type = userName.test(name) ? "user" : teamName.test(name) ? "team" : undefined;
    if (type) return { type, text, name: name.toLowerCase() };
    return { message: `${shown} cannot be the name of a user or team` };
  }
  if (email.test(text)) return { type: "email", text, name: text.toLowerCase() };
  const message = `${shown} is no owner: write @user, @organization/team or an e-mail address`;
  const isName = userName.test(text) || teamName.test(text);
  return isName ? { message, suggestion: `@${text}` } : { message };
}
