/** What is shown of the graph; stands in the address. */
import { dependencyScopes } from "@forgeline/client/generated/choices.ts";
import { useMemo } from "react";
import { useSearchParams } from "react-router";
import type { Filters } from "./tree.ts";

export type FilterName = "manifest" | "ecosystem" | "kind" | "show";

export function useFilters() {
  const [query, setQuery] = useSearchParams();
  const [manifest, ecosystem, kind] = [query.get("manifest"), query.get("ecosystem"), query.get("kind")];
  const all = query.get("show") === "all";
  const filters = useMemo(
    (): Filters => ({ manifest, ecosystem, kind: dependencyScopes.find((one) => one === kind) ?? null, all }),
    [manifest, ecosystem, kind, all],
  );
  /** Empty: no such filter. */
  const choose = (name: FilterName, value: string) =>
    setQuery(
      (before) => {
        const next = new URLSearchParams(before);
        if (value === "") next.delete(name);
        else next.set(name, value);
        return next;
      },
      { preventScrollReset: true, replace: true },
    );
  return { filters, choose };
}
