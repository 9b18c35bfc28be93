/** Selects issues of a page, and changes the selected ones together. */
import { useMutation } from "@tanstack/react-query";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { queryClient } from "../../api/query-client.ts";
import { sessionKey } from "../../api/session.ts";
import { text } from "../../text/issues.ts";
import { Notice } from "../../ui/notice.tsx";
import { showProblem, showToast } from "../../ui/toasts.tsx";
import { useRepositoryPath } from "../repositories/use-repository.ts";
import styles from "./bulk-bar.module.css";
import { BulkChoices } from "./bulk-choices.tsx";
import type { Issue } from "./use-issues.ts";

export interface BulkBarProps {
  issues: readonly Issue[];
  selected: readonly Issue[];
  onSelect: (numbers: readonly number[]) => void;
}

/** What is to be changed of each. */
export type BulkChange = Omit<Schemas["IssueBulkUpdate"], "numbers">;

export function BulkBar({ issues, selected, onSelect }: BulkBarProps) {
  const bulk = useBulk(selected);
  const isAll = selected.length === issues.length;
  return (
    <div className={styles.bar} role="group" aria-label={text.bulk}>
      <label className={styles.all}>
        <input
          type="checkbox"
          checked={isAll}
          onChange={() => onSelect(isAll ? [] : issues.map(({ number }) => number))}
        />
        {selected.length === 0 ? text.selectAll : text.selected(selected.length)}
      </label>
      {selected.length === 0 ? null : (
        <BulkChoices selected={selected} isBusy={bulk.isPending} onChange={bulk.mutate} />
      )}
      <span role="status">{bulk.isPending ? text.changing(selected.length) : ""}</span>
      {bulk.isPending ? null : <Failures results={bulk.data ?? []} issues={issues} />}
    </div>
  );
}

function useBulk(selected: readonly Issue[]) {
  const path = useRepositoryPath();
  return useMutation({
    onError: showProblem,
    mutationFn: async (change: BulkChange) => {
      const body = { ...change, numbers: selected.map(({ number }) => number) };
      const { data } = await api.POST("/repos/{owner}/{repo}/issues/bulk", { params: { path }, body });
      return data?.results ?? [];
    },
    onSuccess: async (results) => {
      await queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0] });
      const changed = results.filter(({ result }) => result === "ok").length;
      if (changed > 0) showToast(text.changed(changed));
    },
  });
}

interface FailuresProps {
  results: readonly Schemas["IssueBulkResult"][];
  issues: readonly Issue[];
}

function Failures({ results, issues }: FailuresProps) {
  const failures = results.filter(({ result }) => result !== "ok");
  if (failures.length === 0) return null;
  const titleOf = (wanted: number) => issues.find(({ number }) => number === wanted)?.title ?? "";
  return (
    <div className={styles.failures}>
      <Notice tone="bad" title={text.notChanged(failures.length)}>
        {failures.map(({ number, message }) => (
          <div key={number}>
            #{number} {titleOf(number)}: {message}
          </div>
        ))}
      </Notice>
    </div>
  );
}
