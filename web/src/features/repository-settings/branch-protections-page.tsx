/** Rules that say who may push to which branches. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { usePages } from "../../api/use-pages.ts";
import { text } from "../../text/repository-settings.ts";
import { Badge } from "../../ui/badge.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { CheckField, FieldGroup } from "../../ui/field.tsx";
import type { FormValues } from "../../ui/form.tsx";
import { Page } from "../../ui/page.tsx";
import { PagedTable } from "../../ui/paged-table.tsx";
import { RowActions } from "../../ui/row-actions.tsx";
import { wordsOf } from "../../ui/words.ts";
import { useRepository, useRepositoryPath } from "../repositories/use-repository.ts";
import { BranchMergeFields, mergeRuleOf } from "./branch-merge-fields.tsx";
import { AddRule, RuleActions } from "./rule-actions.tsx";
import { RuleFields, describePushers } from "./rule-fields.tsx";

type Rule = Schemas["BranchProtection"];

export function BranchProtectionsPage() {
  const { full_name: fullName, archived } = useRepository();
  const path = useRepositoryPath();
  const pages = usePages(["branch-protections", fullName], (query) =>
    api.GET("/repos/{owner}/{repo}/branch-protections", { params: { path, query } }),
  );
  return (
    <Page
      title={text.branches}
      within={fullName}
      lead={text.branchesLead}
      actions={archived ? null : <AddBranchRule />}
    >
      <PagedTable
        pages={pages}
        caption={text.branches}
        keyOf={({ id }) => id}
        empty={<EmptyState title={text.noBranchRules}>{text.noBranchRulesHint}</EmptyState>}
        columns={[
          { title: text.pattern, cell: ({ pattern }) => <code>{pattern}</code> },
          {
            title: text.pushLevel,
            wide: true,
            cell: (rule) => <span>{describePushers(rule.push_level, rule.push_users, rule.push_teams)}</span>,
          },
          { title: text.conditions, cell: (rule) => <Conditions rule={rule} /> },
          {
            title: "",
            label: text.actions,
            cell: (rule) => (archived ? null : <BranchRuleActions rule={rule} />),
          },
        ]}
      />
    </Page>
  );
}

function Conditions({ rule }: { rule: Rule }) {
  return (
    <RowActions>
      {rule.required_approvals > 0 ? <Badge>{text.approvalCount(rule.required_approvals)}</Badge> : null}
      {rule.require_code_owners ? <Badge>{text.ownersNeeded}</Badge> : null}
      {rule.require_pipeline ? <Badge>{text.pipelineNeeded}</Badge> : null}
      {rule.merge_queue ? <Badge>{text.mergeQueue}</Badge> : null}
      {rule.required_checks.length > 0 ? <Badge>{text.checkCount(rule.required_checks.length)}</Badge> : null}
      {rule.require_linear_history ? <Badge>{text.linearShort}</Badge> : null}
      {rule.require_signed_commits ? <Badge>{text.signedShort}</Badge> : null}
      {rule.allow_force_push ? <Badge tone="warn">{text.forcePushShort}</Badge> : null}
      {rule.allow_deletion ? <Badge tone="warn">{text.deletionShort}</Badge> : null}
    </RowActions>
  );
}

function AddBranchRule() {
  const path = useRepositoryPath();
  return (
    <AddRule
      label={text.protectBranches}
      add={(values) =>
        api.POST("/repos/{owner}/{repo}/branch-protections", { params: { path }, body: ruleOf(values) })
      }
    >
      {(problems) => <Fields problems={problems} />}
    </AddRule>
  );
}

function BranchRuleActions({ rule }: { rule: Rule }) {
  const params = { path: { ...useRepositoryPath(), id: rule.id } };
  const address = "/repos/{owner}/{repo}/branch-protections/{id}";
  return (
    <RuleActions
      pattern={rule.pattern}
      change={(values) => api.PATCH(address, { params, body: ruleOf(values) })}
      remove={() => api.DELETE(address, { params })}
    >
      {(problems) => <Fields problems={problems} rule={rule} />}
    </RuleActions>
  );
}

function Fields({ rule, problems }: { rule?: Rule; problems: Record<string, string> }) {
  return (
    <>
      <RuleFields
        problems={problems}
        verb="push"
        levelLabel={text.pushLevel}
        pattern={rule?.pattern}
        level={rule?.push_level}
        users={rule?.push_users}
        teams={rule?.push_teams}
      />
      <FieldGroup legend={text.conditions}>
        <CheckField
          name="require_pipeline"
          label={text.requirePipeline}
          defaultChecked={rule?.require_pipeline}
        />
        <CheckField name="allow_force_push" label={text.forcePush} defaultChecked={rule?.allow_force_push} />
        <CheckField name="allow_deletion" label={text.deletion} defaultChecked={rule?.allow_deletion} />
      </FieldGroup>
      <BranchMergeFields problems={problems} {...(rule ? { rule } : {})} />
    </>
  );
}

function ruleOf(values: FormValues) {
  return {
    pattern: values["pattern"] ?? "",
    push_level: (values["level"] ?? "maintain") as Schemas["PushLevel"],
    push_users: wordsOf(values["users"]),
    push_teams: wordsOf(values["teams"]),
    allow_force_push: values["allow_force_push"] !== undefined,
    allow_deletion: values["allow_deletion"] !== undefined,
    require_pipeline: values["require_pipeline"] !== undefined,
    ...mergeRuleOf(values),
  };
}
