/** Who may use a group of runners, as the API has it and as a form does. Pure. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import type { FormValues } from "../../ui/form.tsx";

/** As one text: names with a slash are repositories, the others owners. */
export function namesOf({
  owners,
  repositories,
}: Pick<Schemas["RunnerGroup"], "owners" | "repositories">): string {
  return [...owners, ...repositories].join(", ");
}

/** As a body of the API. */
export function accessOf({ access, names = "" }: FormValues) {
  if (access !== "selected") return { access: "all" as const };
  const each = names.split(/[\s,]+/).filter(Boolean);
  return {
    access: "selected" as const,
    owners: each.filter((name) => !name.includes("/")),
    repositories: each.filter((name) => name.includes("/")),
  };
}
