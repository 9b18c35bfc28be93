/** The rules of a team's routing, in their order. */
import { useId, useState } from "react";
import { routingTargets, teamReasons } from "@forgeline/client/generated/choices.ts";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { $api } from "../../api/client.ts";
import { text } from "../../text/team-routing.ts";
import { Button } from "../../ui/button.tsx";
import { CheckField, FieldGroup, SelectField, TextField } from "../../ui/field.tsx";
import type { FormValues } from "../../ui/form.tsx";
import { Section } from "../../ui/page.tsx";
import { RowActions } from "../../ui/row-actions.tsx";

type Rule = Schemas["RoutingRule"];
/** The key names its fields, wherever it stands. */
type ShownRule = Rule & { key: number };

const maxRules = 20;

export function useRules(known: readonly Rule[]) {
  const [shown, setShown] = useState<ShownRule[]>(() => known.map((rule, key) => ({ ...rule, key })));
  const next = Math.max(-1, ...shown.map(({ key }) => key)) + 1;
  return {
    shown,
    add: () => setShown([...shown, { events: null, repositories: null, to: "members", key: next }]),
    remove: (key: number) => setShown(shown.filter((rule) => rule.key !== key)),
    moveUp: (index: number) => {
      const [before, rule] = [shown[index - 1], shown[index]];
      if (before && rule) setShown(shown.with(index - 1, rule).with(index, before));
    },
  };
}

interface RuleFieldsProps {
  org: string;
  rules: ReturnType<typeof useRules>;
  problems: Record<string, string>;
}

export function RuleFields({ org, rules, problems }: RuleFieldsProps) {
  const listId = useId();
  const repositories = $api.useQuery("get", "/orgs/{org}/repos", {
    params: { path: { org }, query: { per_page: 100 } },
  });
  return (
    <Section title={text.rules} lead={rules.shown.length === 0 ? text.noRules : text.rulesLead}>
      {rules.shown.map((rule, index) => (
        <FieldGroup key={rule.key} legend={text.rule(index + 1)}>
          <OneRule {...{ rule, index, listId, problems }} />
          <RowActions>
            {index === 0 ? null : (
              <Button onClick={() => rules.moveUp(index)}>{text.moveUp(index + 1)}</Button>
            )}
            <Button onClick={() => rules.remove(rule.key)}>{text.removeRule(index + 1)}</Button>
          </RowActions>
        </FieldGroup>
      ))}
      <datalist id={listId}>
        {repositories.data?.map(({ id, name }) => (
          <option key={id}>{name}</option>
        ))}
      </datalist>
      <div>
        <Button disabled={rules.shown.length >= maxRules} onClick={rules.add}>
          {text.addRule}
        </Button>
      </div>
    </Section>
  );
}

interface OneRuleProps {
  rule: ShownRule;
  index: number;
  listId: string;
  problems: Record<string, string>;
}

function OneRule({ rule, index, listId, problems }: OneRuleProps) {
  const name = (field: string) => `rule_${rule.key}_${field}`;
  return (
    <>
      <SelectField
        name={name("to")}
        label={text.target}
        hint={text.targetHint}
        defaultValue={rule.to}
        problem={problems[`rules.${index}.to`]}
      >
        {routingTargets.map((target) => (
          <option key={target} value={target}>
            {text.targets[target]}
          </option>
        ))}
      </SelectField>
      <FieldGroup legend={text.events} problem={problems[`rules.${index}.events`]}>
        {teamReasons.map((reason) => (
          <CheckField
            key={reason}
            name={name(reason)}
            label={text.event[reason]}
            defaultChecked={rule.events === null || rule.events.includes(reason)}
          />
        ))}
      </FieldGroup>
      <TextField
        name={name("repositories")}
        label={text.repositories}
        hint={text.repositoriesHint}
        list={listId}
        autoComplete="off"
        defaultValue={rule.repositories?.join(", ")}
        problem={problems[`rules.${index}.repositories`]}
      />
    </>
  );
}

/** As a body of the API. */
export function ruleOf(values: FormValues, key: number): Rule {
  const value = (field: string) => values[`rule_${key}_${field}`];
  const events = teamReasons.filter((reason) => value(reason) !== undefined);
  const names = (value("repositories") ?? "").split(",").map((name) => name.trim());
  const repositories = names.filter((name) => name !== "");
  return {
    to: value("to") as Rule["to"],
    events: events.length === teamReasons.length ? null : events,
    repositories: repositories.length === 0 ? null : repositories,
  };
}
