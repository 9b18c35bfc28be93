/** Leads to the line that tells why a job failed. */
import { useMutation } from "@tanstack/react-query";
import { CircleAlert } from "lucide-react";
import { useNavigate, useParams } from "react-router";
import { api } from "../../api/client.ts";
import { text } from "../../text/log-search.ts";
import { Button } from "../../ui/button.tsx";
import { Notice, ProblemNotice } from "../../ui/notice.tsx";
import { useRepositoryPath } from "../repositories/use-repository.ts";

export function FirstErrorButton({ job }: { job: string }) {
  const { number = "" } = useParams();
  const path = { ...useRepositoryPath(), id: number };
  const navigate = useNavigate();
  const find = useMutation({
    mutationFn: async () =>
      (
        await api.GET("/repos/{owner}/{repo}/pipelines/{id}/logs/first-error", {
          params: { path, query: { job } },
        })
      ).data?.line ?? null,
    onSuccess: (line) => {
      if (line) void navigate({ hash: new URL(line.web_url).hash }, { preventScrollReset: true });
    },
  });
  return (
    <>
      <Button
        kind="quiet"
        icon={<CircleAlert aria-hidden />}
        busy={find.isPending}
        onClick={() => find.mutate()}
      >
        {text.firstError}
      </Button>
      {find.data === null ? <Notice tone="info">{text.noError}</Notice> : null}
      {find.error ? <ProblemNotice error={find.error} /> : null}
    </>
  );
}
