/** The protection of an environment in words, and as a form has it. Pure. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { text } from "../../text/environments.ts";
import type { FormValues } from "../../ui/form.tsx";

type Protection = Schemas["EnvironmentProtection"];

export function protectionText(protection: Protection): string {
  const { branches, tags, count, wait_minutes: wait } = protection;
  const parts = [
    ...(branches.length > 0 ? [text.limitedTo("branches", branches.join(", "))] : []),
    ...(tags.length > 0 ? [text.limitedTo("tags", tags.join(", "))] : []),
    ...(count > 0 ? [text.approvals(count, whoMay(protection))] : []),
    ...(count > 0 && !protection.allow_self ? [text.notBySelf] : []),
    ...(wait > 0 ? [text.waits(wait)] : []),
    ...(protection.refuse_older ? [text.nothingOlder] : []),
  ];
  return parts.join("; ") || text.unprotected;
}

/** Without names and a level: everyone with Write. */
function whoMay({ approvers, level }: Protection): string {
  const least = level ?? (approvers.length === 0 ? "write" : null);
  return [...approvers, ...(least === null ? [] : [text.anyone(text.levels[least])])].join(", ");
}

/** As a body of the API. */
export function environmentOf(values: FormValues): Schemas["EnvironmentPut"] {
  return { protection: protectionOf(values), allow_shell: values["allow_shell"] !== undefined };
}

function protectionOf(values: FormValues): NonNullable<Schemas["EnvironmentPut"]["protection"]> {
  return {
    branches: listed(values["protection.branches"]),
    tags: listed(values["protection.tags"]),
    approvers: listed(values["protection.approvers"]),
    level: (values["protection.level"] || null) as Protection["level"],
    count: Number(values["protection.count"] ?? 0),
    allow_self: values["protection.allow_self"] !== undefined,
    refuse_older: values["protection.refuse_older"] !== undefined,
    wait_minutes: Number(values["protection.wait_minutes"] ?? 0),
  };
}

function listed(given: string | undefined): string[] {
  return (given ?? "")
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}
