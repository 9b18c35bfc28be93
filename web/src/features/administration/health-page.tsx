/** Whether this server and what it needs are there, and how much there is of what. */
import { useQuery } from "@tanstack/react-query";
import { text } from "../../text/administration.ts";
import { Badge } from "../../ui/badge.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { QueryView } from "../../ui/query-view.tsx";
import { Table } from "../../ui/table.tsx";
import { InstanceSection } from "./instance-section.tsx";

const lookEveryMs = 5_000;

interface Readiness {
  status: string;
  /** Part → `ok`, `failed` or `stopping`. */
  checks: Readonly<Record<string, string>>;
}

export function HealthPage() {
  const health = useQuery({ queryKey: ["readyz"], queryFn: readReadiness, refetchInterval: lookEveryMs });
  return (
    <Page title={text.health} within={text.administration} lead={text.healthLead}>
      <QueryView query={health}>
        {({ status, checks }) => (
          <>
            <Verdict status={status} checks={checks} />
            <Table
              caption={text.health}
              rows={Object.entries(checks)}
              keyOf={([part]) => part}
              columns={[
                { title: text.part, cell: ([part]) => text.partNames[part] ?? part.replaceAll("_", " ") },
                { title: text.partUse, wide: true, cell: ([part]) => text.partUses[part] },
                {
                  title: text.state,
                  cell: ([, result]) => (
                    <Badge tone={result === "ok" ? "good" : status === "ok" ? "warn" : "bad"}>
                      {text.partStates[result] ?? result}
                    </Badge>
                  ),
                },
              ]}
            />
          </>
        )}
      </QueryView>
      <InstanceSection />
    </Page>
  );
}

/** A server without Temporal answers, but nothing runs: that is told apart from all being well. */
function Verdict({ status, checks }: Readiness) {
  if (status !== "ok") return <Notice tone="bad">{text.notWell}</Notice>;
  const isWhole = Object.values(checks).every((result) => result === "ok");
  return isWhole ? <Notice tone="good">{text.allWell}</Notice> : <Notice tone="warn">{text.partly}</Notice>;
}

/** Also 503 has the parts. */
async function readReadiness(): Promise<Readiness> {
  const answer = await fetch("/readyz", { cache: "no-store" });
  return (await answer.json()) as Readiness;
}
