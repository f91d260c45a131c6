# The simulator as a container. Build: docker build -t copytrade-tck .
ARG NODE_IMAGE=node:24-slim

FROM ${NODE_IMAGE} AS build
ARG NODE_IMAGE
LABEL copytrade-tck.build=${NODE_IMAGE}
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund --cache /tmp/npm && rm -rf /tmp/npm
COPY . .
RUN npm run --silent build && npm prune --omit=dev --omit=peer --ignore-scripts --no-audit --no-fund

FROM ${NODE_IMAGE}
ENV NODE_ENV=production \
    TCK_HOST=0.0.0.0 \
    TCK_CONTROL_HOST=0.0.0.0 \
    TCK_DATA_DIR=/data
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
RUN mkdir /data && chown 1000:1000 /data
USER 1000:1000
VOLUME /data
EXPOSE 8443 8444
HEALTHCHECK --interval=5s --timeout=3s --start-period=10s --retries=3 \
  CMD ["node", "dist/cli/simulate/health.js"]
ENTRYPOINT ["node", "dist/cli/main.js", "simulate"]
