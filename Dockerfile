# syntax=docker/dockerfile:1
# An image that CI systems can use: stealproof, and a shell.
#   docker build --build-arg VERSION=v1.2.3 -t stealproof .
#   docker run --rm --user "$(id -u)" -v "$PWD:/work" stealproof check history.jsonl
FROM golang:1.26-alpine AS build
RUN apk add --no-cache bash
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG VERSION=development
RUN TARGETS="linux/$(go env GOARCH)" VERSION="$VERSION" .ci/release /out
RUN mv /out/stealproof-* /out/stealproof

FROM alpine:3
COPY --from=build /out/stealproof /usr/local/bin/stealproof
WORKDIR /work
ENTRYPOINT ["stealproof"]
CMD ["--help"]
