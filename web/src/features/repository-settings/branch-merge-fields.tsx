/** Fields of rules for branches about merge requests: what they need, how they may be merged, and by whom. */
import { useState } from "react";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { mergeStrategies } from "@forgeline/client/generated/choices.ts";
import { text as ofMerging } from "../../text/merge-requests.ts";
import { text } from "../../text/repository-settings.ts";
import { CheckField, FieldGroup, SelectField, TextArea, TextField } from "../../ui/field.tsx";
import type { FormValues } from "../../ui/form.tsx";
import { wordsOf } from "../../ui/words.ts";

type Rule = Schemas["BranchProtection"];

export function BranchMergeFields({ rule, problems }: { rule?: Rule; problems: Record<string, string> }) {
  return (
    <>
      <TextField
        name="required_approvals"
        type="number"
        min={0}
        max={100}
        label={text.approvals}
        hint={text.approvalsHint}
        defaultValue={rule?.required_approvals ?? 0}
        problem={problems["required_approvals"]}
      />
      <FieldGroup legend={text.reviews}>
        {(["dismiss_stale_approvals", "require_last_push_approval", "require_code_owners"] as const).map(
          (name) => (
            <CheckField key={name} name={name} label={text.reviewRules[name]} defaultChecked={rule?.[name]} />
          ),
        )}
      </FieldGroup>
      <TextArea
        name="required_checks"
        rows={2}
        label={text.checks}
        hint={text.checksHint}
        defaultValue={rule?.required_checks.map(nameOf).join("\n")}
        spellCheck={false}
        problem={problemOf(problems, "required_checks")}
      />
      <FieldGroup legend={ofMerging.strategy}>
        {mergeStrategies.map((strategy) => (
          <CheckField
            key={strategy}
            name={`strategy_${strategy}`}
            label={ofMerging.strategies[strategy]}
            defaultChecked={rule?.merge_strategies.includes(strategy) ?? true}
          />
        ))}
        <CheckField
          name="require_linear_history"
          label={text.linearHistory}
          defaultChecked={rule?.require_linear_history}
        />
        <CheckField
          name="require_signed_commits"
          label={text.signedCommits}
          defaultChecked={rule?.require_signed_commits}
        />
      </FieldGroup>
      <QueueFields queue={rule?.merge_queue ?? null} problems={problems} />
      <People rule={rule} problems={problems} />
    </>
  );
}

function QueueFields({ queue, problems }: { queue: Rule["merge_queue"]; problems: Record<string, string> }) {
  const [isOn, setOn] = useState(queue !== null);
  return (
    <FieldGroup legend={text.mergeQueue}>
      <CheckField
        name="merge_queue"
        label={text.mergeQueueOn}
        hint={text.mergeQueueHint}
        checked={isOn}
        onChange={(event) => setOn(event.currentTarget.checked)}
      />
      {isOn ? (
        <>
          <TextField
            name="max_batch"
            type="number"
            min={1}
            max={20}
            label={text.maxBatch}
            hint={text.maxBatchHint}
            defaultValue={queue?.max_batch ?? 5}
            problem={problemOf(problems, "merge_queue.max_batch")}
          />
          <TextField
            name="max_wait_minutes"
            type="number"
            min={1}
            max={1440}
            label={text.maxWait}
            defaultValue={queue?.max_wait_minutes ?? 60}
            problem={problemOf(problems, "merge_queue.max_wait_minutes")}
          />
          <TextField
            name="parallel_batches"
            type="number"
            min={1}
            max={5}
            label={text.parallelBatches}
            hint={text.parallelBatchesHint}
            defaultValue={queue?.parallel_batches ?? 1}
            problem={problemOf(problems, "merge_queue.parallel_batches")}
          />
        </>
      ) : null}
    </FieldGroup>
  );
}

function People({ rule, problems }: { rule: Rule | undefined; problems: Record<string, string> }) {
  const lists = [
    ["merge_users", text.mergeUsers, text.namesHint],
    ["merge_teams", text.mergeTeams, text.teamsHint],
    ["bypass_users", text.bypassUsers, text.bypassHint],
    ["bypass_teams", text.bypassTeams, text.teamsHint],
  ] as const;
  return (
    <>
      <SelectField name="merge_level" label={text.mergeLevel} defaultValue={rule?.merge_level ?? "write"}>
        {Object.entries(text.pushLevels).map(([value, word]) => (
          <option key={value} value={value}>
            {word}
          </option>
        ))}
      </SelectField>
      {lists.map(([name, label, hint]) => (
        <TextArea
          key={name}
          name={name}
          rows={1}
          label={label}
          hint={hint}
          defaultValue={rule?.[name].join(" ")}
          spellCheck={false}
          problem={problemOf(problems, name)}
        />
      ))}
    </>
  );
}

export function mergeRuleOf(values: FormValues) {
  const isChecked = (name: string) => values[name] !== undefined;
  return {
    required_approvals: Number(values["required_approvals"] ?? 0),
    dismiss_stale_approvals: isChecked("dismiss_stale_approvals"),
    require_last_push_approval: isChecked("require_last_push_approval"),
    require_code_owners: isChecked("require_code_owners"),
    required_checks: wordsOf(values["required_checks"]).map(checkOf),
    require_linear_history: isChecked("require_linear_history"),
    require_signed_commits: isChecked("require_signed_commits"),
    merge_strategies: mergeStrategies.filter((strategy) => isChecked(`strategy_${strategy}`)),
    merge_level: (values["merge_level"] ?? "write") as Schemas["PushLevel"],
    merge_users: wordsOf(values["merge_users"]),
    merge_teams: wordsOf(values["merge_teams"]),
    bypass_users: wordsOf(values["bypass_users"]),
    bypass_teams: wordsOf(values["bypass_teams"]),
    merge_queue: isChecked("merge_queue")
      ? {
          max_batch: Number(values["max_batch"] ?? 5),
          max_wait_minutes: Number(values["max_wait_minutes"] ?? 60),
          parallel_batches: Number(values["parallel_batches"] ?? 1),
        }
      : null,
  };
}

/** Entries of lists have numbers behind the name. */
function problemOf(problems: Record<string, string>, field: string): string | undefined {
  return Object.entries(problems).find(([name]) => name === field || name.startsWith(`${field}.`))?.[1];
}

/** `FILE`, or `FILE#JOB`. */
function checkOf(word: string): Schemas["RequiredCheck"] {
  const at = word.lastIndexOf("#");
  return at === -1 ? { pipeline: word } : { pipeline: word.slice(0, at), job: word.slice(at + 1) };
}

function nameOf({ pipeline, job }: Schemas["RequiredCheck"]): string {
  return job === undefined ? pipeline : `${pipeline}#${job}`;
}
