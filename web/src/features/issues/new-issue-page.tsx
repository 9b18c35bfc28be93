/** Opens an issue. What was typed is kept while the tab is open; a link can fill in title, text and labels. */
import { useEffect, useState } from "react";
import { Link, useLocation, useNavigate, useSearchParams } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { $api, api } from "../../api/client.ts";
import { fieldProblems } from "../../api/problem.ts";
import { useSession } from "../../api/session.ts";
import { text } from "../../text/issues.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { TextField } from "../../ui/field.tsx";
import { Form } from "../../ui/form.tsx";
import { Page } from "../../ui/page.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { useChange } from "../../ui/use-change.ts";
import { forgetDraft, keepDraft, readDraft } from "../markdown/draft.ts";
import { MarkdownField } from "../markdown/markdown-field.tsx";
import { useRepository, useRepositoryPath } from "../repositories/use-repository.ts";
import { labelNames } from "../work-items/address-filters.ts";
import { useLabels } from "../work-items/choices.tsx";
import { SideColumn } from "../work-items/side-column.tsx";
import { sideBody, type SideChange, type SideValues } from "../work-items/side-values.ts";
import { useTextPlace } from "../work-items/use-text-place.ts";
import { TwoColumns } from "../work-items/two-columns.tsx";
import { composeForm, firstAnswers, type Answers } from "./compose-form.ts";
import { FormQuestions } from "./form-questions.tsx";
import { TemplateChooser } from "./text-templates.tsx";
import wide from "./wide-field.module.css";

export function NewIssuePage() {
  const { full_name: fullName, archived } = useRepository();
  const session = useSession();
  const { pathname, search } = useLocation();
  if (!session)
    return (
      <EmptyState
        whole
        title={text.newTitle}
        action={<Link to={`/login?next=${encodeURIComponent(pathname + search)}`}>{text.signInToOpen}</Link>}
      />
    );
  return (
    <Page title={text.newTitle} within={fullName}>
      {/* Another link fills in something else. */}
      {archived ? null : <WithTemplates key={fullName + search} />}
    </Page>
  );
}

/** Whoever comes with a title or a text has chosen already. */
function WithTemplates() {
  const path = useRepositoryPath();
  const [query] = useSearchParams();
  const templates = $api.useQuery("get", "/repos/{owner}/{repo}/issue-templates", { params: { path } });
  const named = query.get("template");
  const isChosen = named !== null || query.has("title") || query.has("body");
  return (
    <QueryView query={templates}>
      {(found) =>
        isChosen || found.templates.length + found.errors.length === 0 ? (
          <NewIssue template={found.templates.find((template) => template.path === named)} />
        ) : (
          <TemplateChooser {...found} />
        )
      }
    </QueryView>
  );
}

const triaging: readonly string[] = ["triage", "write", "maintain", "admin"];
const nothingChosen: SideValues = { labels: [], assignees: [], milestone: null, due_on: null };

type Template = Schemas["TextTemplate"];

function NewIssue({ template }: { template: Template | undefined }) {
  const { permissions } = useRepository();
  const [query] = useSearchParams();
  const draft = useDraft(query, template);
  const fields = template?.form ?? null;
  const [answers, setAnswers] = useState<Answers>(() => firstAnswers(fields ?? []));
  const mayTriage = triaging.includes(permissions);
  const side = useSideValues(mayTriage ? firstLabels(query, template) : []);
  const create = useCreate(() => draft.forget());
  const problems = fieldProblems(create.error);
  const place = useTextPlace();
  const send = () => {
    const body = fields ? composeForm(fields, answers) : draft.body;
    // Whoever sees the labels has chosen them; for others the template's are set.
    const labels = template && !mayTriage ? { template: template.path } : {};
    create.mutate({ title: draft.title, body, ...labels, ...side.body });
  };
  const form = (
    <Form submit={text.create} state={create} onSubmit={send}>
      <div className={wide.wide}>
        <TextField
          label={text.titleField}
          required
          maxLength={255}
          autoComplete="off"
          autoFocus
          value={draft.title}
          problem={problems["title"]}
          onChange={(event) => draft.setTitle(event.target.value)}
        />
      </div>
      {fields ? (
        <FormQuestions
          fields={fields}
          answers={answers}
          onAnswer={(id, answer) => setAnswers((before) => ({ ...before, [id]: answer }))}
          place={place}
        />
      ) : (
        <MarkdownField
          label={text.body}
          hint={text.bodyHint}
          value={draft.body}
          onChange={draft.setBody}
          place={place}
          draftKey={draft.key}
          problem={problems["body"]}
          rows={12}
        />
      )}
    </Form>
  );
  if (!mayTriage) return form;
  return (
    <TwoColumns side={<SideColumn values={side.values} mayTriage people={[]} save={side.save} />}>
      {form}
    </TwoColumns>
  );
}

function firstLabels(query: URLSearchParams, template: Template | undefined): readonly string[] {
  return [...(template?.labels ?? []), ...labelNames(query.get("labels") ?? undefined)];
}

/** Title and text, as they were left, or as the address or the template has them. */
function useDraft(query: URLSearchParams, template: Template | undefined) {
  const { full_name: fullName } = useRepository();
  const key = `${fullName}/new-issue?${query.toString()}`;
  const titleKey = `${key} title`;
  const [title, setTitle] = useState(
    () => readDraft(titleKey) ?? query.get("title") ?? template?.title ?? "",
  );
  const [body, setBody] = useState(() => query.get("body") ?? template?.body ?? "");
  useEffect(() => keepDraft(titleKey, title), [titleKey, title]);
  const forget = () => {
    forgetDraft(key);
    forgetDraft(titleKey);
  };
  return { key, title, setTitle, body, setBody, forget };
}

/** `names`: labels to begin with; those that do not exist are left out. */
function useSideValues(names: readonly string[]) {
  const [chosen, setChosen] = useState<SideChange>({});
  const known = useLabels();
  const first = (known ?? []).filter(({ name }) => names.includes(name));
  const values = { ...nothingChosen, labels: first, ...chosen };
  const save = async (change: SideChange) => setChosen((before) => ({ ...before, ...change }));
  return { values, save, body: sideBody({ ...(first.length > 0 ? { labels: first } : {}), ...chosen }) };
}

function useCreate(forget: () => void) {
  const path = useRepositoryPath();
  const navigate = useNavigate();
  const { full_name: fullName } = useRepository();
  return useChange(
    async (body: { title: string; body: string }) =>
      (await api.POST("/repos/{owner}/{repo}/issues", { params: { path }, body })).data,
    {
      onDone: async (issue) => {
        forget();
        if (issue) await navigate(`/${fullName}/issues/${issue.number}`);
      },
    },
  );
}
