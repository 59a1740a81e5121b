/**
 * Options: the formula of Black and Scholes, its sensitivities by gradients, volatilities from prices, and a simulation.
 */
import * as Nx from "nx-numerics";

type Market = {
  readonly spot: Nx.Tensor;
  readonly volatility: Nx.Tensor;
  readonly rate: Nx.Tensor;
  readonly years: Nx.Tensor;
};

/** Price of a call by Black and Scholes. */
const call = ({ spot, volatility, rate, years }: Market, strike: Nx.Tensor) => {
  const spread = volatility.multiply(years.sqrt());
  const d = Nx.formula`(log(${spot} / ${strike}) + ${rate} * ${years}) / ${spread} + 0.5 * ${spread}`;
  return Nx.formula`${spot} * ${Nx.normalCdf(d)} - ${strike} * exp(-${rate} * ${years}) * ${Nx.normalCdf(d.subtract(spread))}`;
};

const market = { spot: Nx.f64(42), volatility: Nx.f64(0.2), rate: Nx.f64(0.1), years: Nx.f64(0.5) };
const strikes = Nx.f64([36, 38, 40, 42, 44], { names: ["strike"] });

export const prices = call(market, strikes);
export const greeks = Nx.Defn.vmap(Nx.grad(call), [null, 0])(market, strikes);
const delta = (spot: Nx.Tensor, strike: Nx.Tensor) => Nx.grad(call)({ ...market, spot }, strike).spot;
export const gamma = Nx.Defn.vmap(Nx.grad(delta), [null, 0])(market.spot, strikes);

/** The volatility at which a call has a price, by Newton's method. */
const implied = Nx.defn((price: Nx.Tensor, strike: Nx.Tensor) => {
  const priceAt = Nx.valueAndGrad((volatility: Nx.Tensor) => call({ ...market, volatility }, strike));
  return Nx.Defn.whileLoop(
    { volatility: Nx.f64(0.5), off: Nx.f64(1) },
    ({ off }) => off.abs().greater(1e-14),
    ({ volatility }) => {
      const [value, vega] = priceAt(volatility);
      const off = value.subtract(price).divide(vega);
      return { volatility: volatility.subtract(off), off };
    },
  ).volatility;
});
export const volatilities = Nx.Defn.vmap(implied)(prices, strikes);

/** The mean of what a call pays at the end of random paths, discounted. */
const z = Nx.Random.normalSplit(Nx.Random.key(0), { shape: [200_000], names: ["path"], type: "f64" });
const simulated = ({ spot, volatility, rate, years }: Market, strike: Nx.Tensor) => {
  const end = Nx.formula`${spot} * exp((${rate} - ${volatility} ** 2 / 2) * ${years} + ${volatility} * sqrt(${years}) * ${z})`;
  return end
    .subtract(strike)
    .max(0)
    .mean()
    .multiply(Nx.formula`exp(-${rate} * ${years})`);
};
export const [bySimulation, itsGreeks] = Nx.Defn.vmap(Nx.valueAndGrad(simulated), [null, 0])(market, strikes);

const table = {
  price: prices,
  delta: greeks.spot,
  gamma,
  vega: greeks.volatility,
  rho: greeks.rate,
  implied: volatilities,
  simulated: bySimulation,
  "its delta": itsGreeks.spot,
};
console.log(`strike; ${Object.keys(table).join("; ")}`);
Nx.stack([strikes, ...Object.values(table)], { axis: 1 }).print({ precision: 3, width: 100, exponents: false });
