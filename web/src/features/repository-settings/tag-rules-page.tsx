/** Rules that say who may create which tags. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { usePages } from "../../api/use-pages.ts";
import { text } from "../../text/repository-settings.ts";
import { ConfirmButton, FormButton } from "../../ui/dialog-button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import type { FormValues } from "../../ui/form.tsx";
import { Page } from "../../ui/page.tsx";
import { PagedTable } from "../../ui/paged-table.tsx";
import { RowActions } from "../../ui/row-actions.tsx";
import { wordsOf } from "../../ui/words.ts";
import { useRepository, useRepositoryPath } from "../repositories/use-repository.ts";
import { RuleFields, whoOf } from "./rule-fields.tsx";

type Rule = Schemas["TagProtection"];

export function TagRulesPage() {
  const { full_name: fullName, archived } = useRepository();
  const path = useRepositoryPath();
  const pages = usePages(["tag-protections", fullName], (query) =>
    api.GET("/repos/{owner}/{repo}/tag-protections", { params: { path, query } }),
  );
  return (
    <Page title={text.tags} within={fullName} lead={text.tagsLead} actions={archived ? null : <AddRule />}>
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
            cell: (rule) => <span>{whoOf(rule.create_level, rule.create_users, rule.create_teams)}</span>,
          },
          {
            title: "",
            label: text.actions,
            cell: (rule) => (archived ? null : <RuleActions rule={rule} />),
          },
        ]}
      />
    </Page>
  );
}

function AddRule() {
  const path = useRepositoryPath();
  return (
    <FormButton
      label={text.protectTags}
      title={text.protectTags}
      kind="primary"
      submit={text.save}
      said={text.saved}
      run={(values) =>
        api.POST("/repos/{owner}/{repo}/tag-protections", { params: { path }, body: ruleOf(values) })
      }
    >
      {(problems) => <RuleFields problems={problems} verb="create" levelLabel={text.createLevel} />}
    </FormButton>
  );
}

function RuleActions({ rule }: { rule: Rule }) {
  const path = { ...useRepositoryPath(), id: rule.id };
  return (
    <RowActions>
      <FormButton
        label={text.change}
        name={text.editRule(rule.pattern)}
        title={text.editRule(rule.pattern)}
        submit={text.save}
        said={text.saved}
        run={(values) =>
          api.PATCH("/repos/{owner}/{repo}/tag-protections/{id}", {
            params: { path },
            body: ruleOf(values),
          })
        }
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
      </FormButton>
      <ConfirmButton
        label={text.remove}
        name={text.removeName(rule.pattern)}
        title={text.removeRule(rule.pattern)}
        said={text.removed(rule.pattern)}
        run={() => api.DELETE("/repos/{owner}/{repo}/tag-protections/{id}", { params: { path } })}
      >
        <p>{text.removeRuleHint}</p>
      </ConfirmButton>
    </RowActions>
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
