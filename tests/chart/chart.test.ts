import { describe } from 'node:test';
import { connections } from './connections.ts';
import { copies } from './copies.ts';
import { migrations } from './migrations.ts';
import { mutualTls } from './mutual-tls.ts';
import { network } from './network.ts';
import { onACluster } from './on-a-cluster.ts';
import { pods } from './pods.ts';
import { refusals } from './refusals.ts';
import { HELM } from './render.ts';
import { renders } from './renders.ts';
import { scaling } from './scaling.ts';
import { secrets } from './secrets.ts';
import { settings } from './settings.ts';

describe('the chart', { skip: HELM.missing }, () => {
  describe('every object', () => renders());
  describe('every pod', () => pods());
  describe('what pods are told', () => settings());
  describe('secrets', () => secrets());
  describe('the network', () => network());
  describe('pods and their number', () => scaling());
  describe('connections to PostgreSQL', () => connections());
  describe('migrations', () => migrations());
  describe('certificates', () => mutualTls());
  describe('what is from elsewhere', () => copies());
  describe('wrong values', () => refusals());
  describe('on a cluster', () => onACluster());
});
