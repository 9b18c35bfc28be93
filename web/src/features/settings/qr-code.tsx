/** A QR code as one path of squares. */
import { useEffect, useState } from "react";
import { fetchPart } from "../../api/fetch-part.ts";
import styles from "./settings.module.css";

/** Squares of quiet around the code, as its standard requires. */
const margin = 4;

interface Drawing {
  path: string;
  size: number;
}

export function QrCode({ value, label }: { value: string; label: string }) {
  const [drawing, setDrawing] = useState<Drawing>();
  useEffect(() => {
    let isWanted = true;
    void draw(value).then((drawn) => {
      if (isWanted) setDrawing(drawn);
    });
    return () => {
      isWanted = false;
    };
  }, [value]);
  const side = (drawing?.size ?? 0) + 2 * margin;
  return (
    <svg
      className={styles.qr}
      role="img"
      aria-label={label}
      viewBox={`${-margin} ${-margin} ${side} ${side}`}
      shapeRendering="crispEdges"
    >
      <path d={drawing?.path ?? ""} />
    </svg>
  );
}

async function draw(value: string): Promise<Drawing> {
  const { default: qrcode } = await fetchPart(() => import("qrcode-generator"));
  const code = qrcode(0, "M");
  code.addData(value);
  code.make();
  const size = code.getModuleCount();
  let path = "";
  for (let row = 0; row < size; row += 1)
    for (let column = 0; column < size; column += 1)
      if (code.isDark(row, column)) path += `M${column} ${row}h1v1h-1z`;
  return { path, size };
}
