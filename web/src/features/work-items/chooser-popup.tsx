/** A button that opens a list to choose from. What draws the list is fetched when the first one is opened. */
import { lazy, Suspense, type ReactNode } from "react";
import { fetchPart } from "../../api/fetch-part.ts";
import type { ButtonProps } from "../../ui/button.tsx";
import { Popup } from "../../ui/popup.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import type { ChooserProps } from "./chooser.tsx";

const Chooser = lazy(async () => ({
  default: (await fetchPart(() => import("./chooser.tsx"))).Chooser,
}));

export interface ChooserPopupProps {
  /** On the button. */
  children: ReactNode;
  /** Of the panel. */
  label: string;
  kind?: NonNullable<ButtonProps["kind"]>;
  /** Called while the panel is open; undefined while the choices are fetched. */
  useChooser: () => ChooserProps | undefined;
}

export function ChooserPopup({ children, label, kind = "normal", useChooser }: ChooserPopupProps) {
  return (
    <Popup label={label} kind={kind} panel={() => <Panel useChooser={useChooser} />}>
      {children}
    </Popup>
  );
}

function Panel({ useChooser }: Pick<ChooserPopupProps, "useChooser">) {
  const chooser = useChooser();
  if (!chooser) return <Skeleton lines={3} />;
  return (
    <Suspense fallback={<Skeleton lines={3} />}>
      <Chooser {...chooser} />
    </Suspense>
  );
}
