/** An app asks to act for the viewer: which app, what it wants, and where the browser goes then. */
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link, useLocation } from "react-router";
import type { Schemas } from "@forgeline/client/schemas.ts";
import { api } from "../../api/client.ts";
import { useSignedIn } from "../../api/session.ts";
import { text } from "../../text/oauth.ts";
import { scopeWords } from "../../text/scopes.ts";
import { Button } from "../../ui/button.tsx";
import { Facts } from "../../ui/facts.tsx";
import { Notice, ProblemNotice } from "../../ui/notice.tsx";
import { Page } from "../../ui/page.tsx";
import { Person } from "../../ui/person.tsx";
import { RowActions } from "../../ui/row-actions.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import styles from "./authorize-page.module.css";

type Asked = Schemas["OAuthRequest"];

export function AuthorizePage() {
  const request = useLocation().search.slice(1);
  const asked = useQuery({
    queryKey: ["oauth-request", request],
    queryFn: async () => (await api.POST("/user/oauth-requests", { body: { request } })).data ?? null,
    staleTime: Infinity,
    retry: false,
  });
  if (asked.error)
    return (
      <Page title={text.broken} lead={text.brokenHint}>
        <ProblemNotice error={asked.error} />
      </Page>
    );
  return (
    <div className={styles.narrow}>
      {asked.data ? <Question asked={asked.data} request={request} /> : <Skeleton lines={6} />}
    </div>
  );
}

function Question({ asked: { app, scopes, returns_to: place }, request }: { asked: Asked; request: string }) {
  const { user } = useSignedIn();
  return (
    <Page title={text.question(app.name)} within={text.title}>
      <Facts
        facts={[
          { name: text.owner, value: <Link to={`/${app.owner}`}>{app.owner}</Link> },
          { name: text.you, value: <Person user={user} /> },
          ...(app.homepage_url === null
            ? []
            : [{ name: text.homepage, value: <Homepage address={app.homepage_url} /> }]),
        ]}
      />
      <p>{text.wants}</p>
      <ul className={styles.scopes}>
        {scopes.map((scope) => (
          <li key={scope}>
            {scopeWords[scope]} <code>{scope}</code>
          </li>
        ))}
      </ul>
      {user.admin ? <Notice tone="warn">{text.asAdmin}</Notice> : null}
      <p>{text.next(place)}</p>
      <Decision request={request} place={place} />
    </Page>
  );
}

function Homepage({ address }: { address: string }) {
  return (
    <a href={address} rel="noopener noreferrer nofollow" target="_blank">
      {address}
    </a>
  );
}

function Decision({ request, place }: { request: string; place: string }) {
  const decide = useMutation({
    mutationFn: async (decision: "allow" | "deny") => {
      const { data } = await api.POST("/user/oauth-requests/decisions", { body: { request, decision } });
      // Going back from there must not ask again.
      if (data) window.location.replace(data.location);
    },
  });
  if (decide.isSuccess) return <Notice tone="good">{text.gone(place)}</Notice>;
  const button = (decision: "allow" | "deny") => ({
    busy: decide.isPending && decide.variables === decision,
    disabled: decide.isPending && decide.variables !== decision,
    onClick: () => decide.mutate(decision),
  });
  return (
    <>
      {decide.error ? <ProblemNotice error={decide.error} /> : null}
      <RowActions>
        <Button kind="primary" {...button("allow")}>
          {text.allow}
        </Button>
        <Button {...button("deny")}>{text.deny}</Button>
      </RowActions>
    </>
  );
}
