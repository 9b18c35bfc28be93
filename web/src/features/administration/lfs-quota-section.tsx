/** Git LFS storage of one owner: what is used, and the limit, which one of the plan enterprise may have of its own. */
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api, $api } from "../../api/client.ts";
import { fieldProblems } from "../../api/problem.ts";
import { text } from "../../text/administration.ts";
import { text as storage } from "../../text/storage.ts";
import { TextField } from "../../ui/field.tsx";
import { Form, type FormValues } from "../../ui/form.tsx";
import { Section } from "../../ui/page.tsx";
import { formatBytes } from "../../ui/size.ts";
import { UsageBar } from "../../ui/usage-bar.tsx";
import { useChange } from "../../ui/use-change.ts";

type Quota = Schemas["LfsQuota"];

const bytesPerGb = 1e9;

export function useLfsQuota(owner: string) {
  return $api.useQuery("get", "/admin/storage/owners/{owner}/lfs-quota", { params: { path: { owner } } });
}

export function LfsQuotaSection({ quota }: { quota: Quota }) {
  return (
    <Section title={storage.lfsStorage} lead={storage.lfsHint}>
      <UsageBar
        label={text.used}
        used={quota.used_bytes}
        limit={quota.limit_bytes}
        format={formatBytes}
        hint={quota.custom ? text.lfsCustom : text.lfsOfPlan(quota.plan)}
      />
      {quota.plan === "enterprise" ? <QuotaForm quota={quota} /> : null}
    </Section>
  );
}

function QuotaForm({ quota: { owner, custom, limit_bytes: limit } }: { quota: Quota }) {
  const change = useChange(
    (values: FormValues) =>
      api.PUT("/admin/storage/owners/{owner}/lfs-quota", {
        params: { path: { owner } },
        body: { limit_bytes: bytesOf(values["limit_bytes"]) },
      }),
    { said: text.saved },
  );
  return (
    <Form submit={text.setLfsLimit} state={change} onSubmit={change.mutate}>
      <TextField
        name="limit_bytes"
        label={text.lfsLimit}
        hint={text.lfsLimitHint}
        type="number"
        min={0}
        max={1_000_000}
        step="any"
        defaultValue={custom && limit !== null ? limit / bytesPerGb : ""}
        problem={fieldProblems(change.error)["limit_bytes"]}
      />
    </Form>
  );
}

/** Null follows the plan. */
function bytesOf(typed: string | undefined): number | null {
  return typed === undefined || typed.trim() === "" ? null : Math.round(Number(typed) * bytesPerGb);
}
