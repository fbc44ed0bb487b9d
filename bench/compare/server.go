package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// peerVersion is the version of OSV-Scanner.
const peerVersion = "v2.6.0"

// server is a server that is scanned.
type server struct{ Name, Ecosystem, Package, Version string }

// servers are the ten: small and large, old and new, of both registries.
func servers() []server {
	return []server{
		{"filesystem", "npm", "@modelcontextprotocol/server-filesystem", "2025.1.14"},
		{"everything", "npm", "@modelcontextprotocol/server-everything", "2025.4.8"},
		{"puppeteer", "npm", "@modelcontextprotocol/server-puppeteer", "2025.5.12"},
		{"remote", "npm", "mcp-remote", "0.1.12"},
		{"notion", "npm", "@notionhq/notion-mcp-server", "1.8.0"},
		{"inspector", "npm", "@modelcontextprotocol/inspector", "0.14.0"},
		{"git", "PyPI", "mcp-server-git", "2025.1.14"},
		{"fetch", "PyPI", "mcp-server-fetch", "2025.4.7"},
		{"atlassian", "PyPI", "mcp-atlassian", "0.11.9"},
		{"qdrant", "PyPI", "mcp-server-qdrant", "0.8.0"},
	}
}

// thousand is a project of more than a thousand packages: build tools, which
// have the most dependencies.
func thousand() []string {
	return []string{
		"react-scripts@5.0.1", "@nestjs/cli@10.4.5", "@angular/cli@17.3.8", "eslint-config-airbnb@19.0.4",
		"webpack-dev-server@4.15.1", "n8n-mcp@2.10.5",
	}
}

const installTime = 20 * time.Minute

// install installs a server and its dependencies into a directory, unless it
// exists. No code of it runs: npm skips scripts, pip uses wheels only.
func (v server) install(ctx context.Context, dir string) error {
	if v.Ecosystem == "npm" {
		return installNode(ctx, dir, v.Package+"@"+v.Version)
	}
	return whole(dir, func(fresh string) error {
		return runInstaller(ctx, fresh, "pip", "install", "--quiet", "--disable-pip-version-check", "--only-binary", ":all:",
			"--target", filepath.Join(fresh, "site-packages"), v.Package+"=="+v.Version)
	})
}

func installNode(ctx context.Context, dir string, packages ...string) error {
	return whole(dir, func(fresh string) error {
		manifest := []byte(`{"name": "tree", "version": "0.0.0", "private": true}`)
		if err := os.WriteFile(filepath.Join(fresh, "package.json"), manifest, 0o644); err != nil {
			return err
		}
		args := append([]string{"install", "--silent", "--ignore-scripts", "--no-audit", "--no-fund"}, packages...)
		return runInstaller(ctx, fresh, "npm", args...)
	})
}

// whole fills a directory completely or not at all, so that none is half filled.
func whole(dir string, fill func(fresh string) error) error {
	if _, err := os.Stat(dir); err == nil {
		return nil
	}
	fresh := dir + ".part"
	if err := errors.Join(os.RemoveAll(fresh), os.MkdirAll(fresh, 0o755)); err != nil {
		return err
	}
	if err := fill(fresh); err != nil {
		return err
	}
	return os.Rename(fresh, dir)
}

// runInstaller runs an installer, never what it installs.
func runInstaller(ctx context.Context, dir, program string, args ...string) error {
	ctx, cancel := context.WithTimeout(ctx, installTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Dir, cmd.WaitDelay = dir, time.Second
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s %s: %w: %s", program, strings.Join(args, " "), err, out)
	}
	return nil
}
