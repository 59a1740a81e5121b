/**
 * The elevation of a volcano: steepness and hill shading as numeric functions over the axes `north` and `east`.
 * Run with `npm run example:volcano`.
 */
import * as Nx from "nx-numerics";
import { volcano } from "./data";

const CELL = 10; // metres
const DEGREE = Math.PI / 180;

/** Central differences along both axes; the border has no neighbours on both sides and drops out. */
function gradient(z: Nx.Tensor<readonly ["north", "east"]>) {
  const inner = Nx.range(1, -1);
  const north = z.at({ north: Nx.range(2), east: inner }).subtract(z.at({ north: Nx.range(0, -2), east: inner }));
  const east = z.at({ north: inner, east: Nx.range(2) }).subtract(z.at({ north: inner, east: Nx.range(0, -2) }));
  return { north: north.divide(2 * CELL), east: east.divide(2 * CELL) };
}

/** Steepness: metres of climb per metre of way. */
const steepness = Nx.defn((z: Nx.Tensor<readonly ["north", "east"]>) => {
  const { north, east } = gradient(z);
  return north.multiply(north).add(east.multiply(east)).sqrt();
});

/** Brightness of each cell under a distant light: the cosine of the angle between surface normal and light, at least 0. */
const hillShade = Nx.defn((z: Nx.Tensor<readonly ["north", "east"]>, azimuth: Nx.Tensor, altitude: Nx.Tensor) => {
  const { north, east } = gradient(z);
  const light = {
    north: azimuth.cos().multiply(altitude.cos()),
    east: azimuth.sin().multiply(altitude.cos()),
    up: altitude.sin(),
  };
  const normalLength = north.multiply(north).add(east.multiply(east)).add(1).sqrt();
  const towards = light.up.subtract(north.multiply(light.north)).subtract(east.multiply(light.east));
  return towards.divide(normalLength).max(0);
});

const elevation = volcano();
const slope = steepness(elevation);
const shade = hillShade(elevation, Nx.f32(315 * DEGREE), Nx.f32(45 * DEGREE));

const fixed = (value: Nx.Tensor, digits: number) => value.item().toFixed(digits);
console.log(`Maunga Whau, ${elevation.axisSize("north") * CELL} m by ${elevation.axisSize("east") * CELL} m`);
console.log(
  `  elevation ${fixed(elevation.reduceMin(), 0)} m to ${fixed(elevation.reduceMax(), 0)} m, mean ${fixed(elevation.mean(), 1)} m`,
);
console.log(
  `  slope     mean ${fixed(slope.mean().atan().divide(DEGREE), 1)} degrees, steepest ${fixed(slope.reduceMax().atan().divide(DEGREE), 1)}`,
);
console.log("\nGradient magnitude");
console.log(String(Nx.toHeatmap(slope)));
console.log("\nHill shading, light from the north-west at 45 degrees");
console.log(String(Nx.toHeatmap(shade)));
