/**
 * Gray and Scott's reaction of two chemicals that diffuse (Pearson, Complex patterns in a simple system, Science 1993), as a traced loop: a
 * frame is one call that takes many steps in WebAssembly.
 */
import * as Nx from "nx-numerics";
import { animate, button, canvas, drawLevels, onPointer, slider, status, type Demo, type Stage } from "./stage";

const SIZE = 256;
const STEPS = 12;
type Field = Nx.Tensor;

/** The Laplacian by the nine-point stencil; the field is a torus. */
function laplacian(field: Field): Field {
  const vertical = field.roll(1, { axis: "y" }).add(field.roll(-1, { axis: "y" }));
  const columns = vertical.multiply(0.05).add(field.multiply(0.2));
  const sides = columns.roll(1, { axis: "x" }).add(columns.roll(-1, { axis: "x" }));
  return sides.add(vertical.multiply(0.2)).subtract(field);
}

const advance = Nx.defn(({ u, v }: { u: Field; v: Field }, feed: Nx.Tensor, kill: Nx.Tensor) => {
  const { u: nextU, v: nextV } = Nx.Defn.whileLoop(
    { step: Nx.tensor(0) as Field, u, v },
    ({ step }) => step.less(STEPS),
    ({ step, u, v }) => {
      const reaction = u.multiply(v).multiply(v);
      const grownU = laplacian(u).subtract(reaction).add(Nx.subtract(1, u).multiply(feed));
      const grownV = laplacian(v)
        .multiply(0.5)
        .add(reaction)
        .subtract(v.multiply(feed.add(kill)));
      return { step: step.add(1), u: u.add(grownU), v: v.add(grownV) };
    },
  );
  return { u: nextU, v: nextV, levels: nextV.multiply(2.5).clip(0, 1).multiply(255).asType("u8") };
});

/** A square of the second chemical around a place. */
const drop = Nx.defn((v: Field, x: Nx.Tensor, y: Nx.Tensor) => {
  const along = (axis: number) => Nx.iota([SIZE, SIZE], { axis, names: ["y", "x"], type: "f32" });
  const near = Nx.max(along(1).subtract(x).abs(), along(0).subtract(y).abs()).less(6);
  return Nx.select(near, Nx.f32(0.5), v);
});

export function open(stage: Stage): Demo {
  const picture = canvas(stage, SIZE, SIZE, "Patterns of two chemicals; press to add a drop");
  const say = status(stage);
  let feed = 0;
  let kill = 0;
  slider(stage, "feed", [0.01, 0.08, 0.037], (value) => (feed = value), 0.0005);
  slider(stage, "kill", [0.04, 0.07, 0.06], (value) => (kill = value), 0.0005);
  const empty = () => ({
    u: Nx.broadcast(Nx.f32(1), [SIZE, SIZE], { names: ["y", "x"] }) as Field,
    v: drop(Nx.broadcast(Nx.f32(0), [SIZE, SIZE], { names: ["y", "x"] }), Nx.f32(SIZE / 2), Nx.f32(SIZE / 2)) as Field,
  });
  let field = empty();
  button(stage, "Begin again", () => (field = empty()));
  onPointer(picture, (x, y, isDown) => {
    if (isDown) field = { ...field, v: drop(field.v, Nx.f32(x), Nx.f32(y)) };
  });
  return animate(stage, () => {
    const begun = performance.now();
    const { levels, ...next } = advance(field, Nx.f32(feed), Nx.f32(kill));
    drawLevels(picture, levels);
    Nx.backendDeallocate(levels);
    field = next;
    say(`${STEPS} steps of ${SIZE} x ${SIZE}: ${(performance.now() - begun).toFixed(1)} ms a frame`);
  });
}
