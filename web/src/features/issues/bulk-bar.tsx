/** Selects issues of a page, and changes the selected ones together. */
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { queryClient } from "../../api/query-client.ts";
import { sessionKey } from "../../api/session.ts";
import { text } from "../../text/issues.ts";
import { Notice } from "../../ui/notice.tsx";
import { showToast } from "../../ui/toasts.tsx";
import { useRepositoryPath } from "../repositories/use-repository.ts";
import styles from "./bulk-bar.module.css";
import { BulkChoices } from "./bulk-choices.tsx";
import { changeEach, type Failure } from "./change-each.ts";
import type { Issue } from "./use-issues.ts";

export interface BulkBarProps {
  issues: readonly Issue[];
  selected: readonly Issue[];
  onSelect: (numbers: readonly number[]) => void;
}

/** What is to be changed of an issue as it is now. */
export type BulkChange = (newest: Issue) => Schemas["IssueUpdate"];

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
      <span role="status">{bulk.isPending ? text.progress(bulk.done, selected.length) : ""}</span>
      <Failures failures={bulk.isPending ? [] : (bulk.data ?? [])} />
    </div>
  );
}

function useBulk(selected: readonly Issue[]) {
  const path = useRepositoryPath();
  const [done, setDone] = useState(0);
  const changeOne = async ({ number }: Issue, change: BulkChange) => {
    const params = { path: { ...path, number } };
    // Its lists may have changed since they were shown, and they are replaced as a whole.
    const { data: newest } = await api.GET("/repos/{owner}/{repo}/issues/{number}", { params });
    if (newest) await api.PATCH("/repos/{owner}/{repo}/issues/{number}", { params, body: change(newest) });
  };
  const mutation = useMutation({
    mutationFn: (change: BulkChange) => changeEach(selected, (issue) => changeOne(issue, change), setDone),
    onSuccess: async (failures) => {
      await queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionKey[0] });
      const changed = selected.length - failures.length;
      if (changed > 0) showToast(text.changed(changed));
    },
  });
  return { ...mutation, done };
}

function Failures({ failures }: { failures: readonly Failure[] }) {
  if (failures.length === 0) return null;
  return (
    <div className={styles.failures}>
      <Notice tone="bad" title={text.notChanged(failures.length)}>
        {failures.map(({ number, title, message }) => (
          <div key={number}>
            #{number} {title}: {message}
          </div>
        ))}
      </Notice>
    </div>
  );
}
