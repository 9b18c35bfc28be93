/** Rules that say who may create which tags. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { usePages } from "../../api/use-pages.ts";
import { text } from "../../text/repository-settings.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import type { FormValues } from "../../ui/form.tsx";
import { Page } from "../../ui/page.tsx";
import { PagedTable } from "../../ui/paged-table.tsx";
import { wordsOf } from "../../ui/words.ts";
import { useRepository, useRepositoryPath } from "../repositories/use-repository.ts";
import { AddRule, RuleActions } from "./rule-actions.tsx";
import { RuleFields, describePushers } from "./rule-fields.tsx";

type Rule = Schemas["TagProtection"];

export function TagProtectionsPage() {
  const { full_name: fullName, archived } = useRepository();
  const path = useRepositoryPath();
  const pages = usePages(["tag-protections", fullName], (query) =>
    api.GET("/repos/{owner}/{repo}/tag-protections", { params: { path, query } }),
  );
  return (
    <Page title={text.tags} within={fullName} lead={text.tagsLead} actions={archived ? null : <AddTagRule />}>
      <PagedTable
        pages={pages}
        caption={text.tags}
        keyOf={({ id }) => id}
        empty={<EmptyState title={text.noTagRules}>{text.noTagRulesHint}</EmptyState>}
        columns={[
          { title: text.pattern, cell: ({ pattern }) => <code>{pattern}</code> },
          {
            title: text.createLevel,
            wide: true,
            cell: (rule) => (
              <span>{describePushers(rule.create_level, rule.create_users, rule.create_teams)}</span>
            ),
          },
          {
            title: "",
            label: text.actions,
            cell: (rule) => (archived ? null : <TagRuleActions rule={rule} />),
          },
        ]}
      />
    </Page>
  );
}

function AddTagRule() {
  const path = useRepositoryPath();
  return (
    <AddRule
      label={text.protectTags}
      add={(values) =>
        api.POST("/repos/{owner}/{repo}/tag-protections", { params: { path }, body: ruleOf(values) })
      }
    >
      {(problems) => <RuleFields problems={problems} verb="create" levelLabel={text.createLevel} />}
    </AddRule>
  );
}

function TagRuleActions({ rule }: { rule: Rule }) {
  const params = { path: { ...useRepositoryPath(), id: rule.id } };
  const address = "/repos/{owner}/{repo}/tag-protections/{id}";
  return (
    <RuleActions
      pattern={rule.pattern}
      change={(values) => api.PATCH(address, { params, body: ruleOf(values) })}
      remove={() => api.DELETE(address, { params })}
    >
      {(problems) => (
        <RuleFields
          problems={problems}
          verb="create"
          levelLabel={text.createLevel}
          pattern={rule.pattern}
          level={rule.create_level}
          users={rule.create_users}
          teams={rule.create_teams}
        />
      )}
    </RuleActions>
  );
}

function ruleOf(values: FormValues) {
  return {
    pattern: values["pattern"] ?? "",
    create_level: (values["level"] ?? "maintain") as Schemas["PushLevel"],
    create_users: wordsOf(values["users"]),
    create_teams: wordsOf(values["teams"]),
  };
}
