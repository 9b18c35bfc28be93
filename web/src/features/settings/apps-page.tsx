/** OAuth apps that one has registered, and registering another. */
import { AppList } from "./app-list.tsx";
import { ownApps } from "./apps-of.ts";
import { NewApp } from "./new-app.tsx";

export function AppsPage() {
  return <AppList of={ownApps} />;
}

export function NewAppPage() {
  return <NewApp of={ownApps} />;
}
