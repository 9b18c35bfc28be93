/** What statistics are about; stands in the address. */
import { useSearchParams } from "react-router";
import { text } from "../../text/run-statistics.ts";

const defaultDays = 30;

export interface PeriodChoice {
  days: number;
  branch: string;
  pipeline: string;
  /** Changes some of it; empty text takes it away. */
  choose(changed: Readonly<Record<string, string>>): void;
}

export function usePeriod(): PeriodChoice {
  const [query, setQuery] = useSearchParams();
  const asked = query.get("days") ?? "";
  return {
    days: asked in text.periods ? Number(asked) : defaultDays,
    branch: query.get("branch") ?? "",
    pipeline: query.get("pipeline") ?? "",
    choose(changed) {
      const next = new URLSearchParams(query);
      for (const [name, value] of Object.entries(changed))
        if (value === "") next.delete(name);
        else next.set(name, value);
      setQuery(next, { preventScrollReset: true });
    },
  };
}
