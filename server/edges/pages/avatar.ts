/** `/avatars/{id}`: a picture made from the identifier alone, so it tells nothing about whether the user exists. */
import { createHash } from "node:crypto";
import { Router } from "express";
import { idOf } from "@forgeline/schemas/core/ids.ts";
import { AppError } from "../../platform/app-error.ts";

const cells = 5;

/** A mirrored pattern of 5 × 5 cells in one colour. */
export function drawAvatar(id: string): string {
  const digest = createHash("sha256").update(id).digest();
  const hue = Math.round(((digest[0] ?? 0) / 256) * 360);
  const squares: string[] = [];
  for (let y = 0; y < cells; y++)
    for (let x = 0; x < cells; x++) {
      const mirrored = Math.min(x, cells - 1 - x);
      if ((digest[1 + y * 3 + mirrored] ?? 0) < 128) squares.push(`M${x + 1} ${y + 1}h1v1h-1z`);
    }
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 7 7"><path fill="#eceff3" d="M0 0h7v7H0z"/><path fill="hsl(${hue} 55% 45%)" d="${squares.join("")}"/></svg>`;
}

export function createAvatarRouter(): Router {
  const router = Router();
  router.get("/avatars/:id", (req, res) => {
    if (!idOf("usr").safeParse(req.params.id).success) throw new AppError("not_found");
    res.setHeader("Cache-Control", "public, max-age=86400");
    res.setHeader("Content-Type", "image/svg+xml");
    res.end(drawAvatar(req.params.id));
  });
  return router;
}
